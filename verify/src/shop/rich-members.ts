import type { Exchange } from './exchange.ts'
import { petOf } from './expect.ts'

/** Ends of names that Latin-1 can hold, and that it cannot, with marks that JSON, HTML and SQL escape. */
const ends = [` Zoë & Ünal "ß" 100%`, ` 日本 Жук 🐕 \\ <b>'é'</b>`]
/** A double has not all of its digits. */
const categoryId = '-9007199254740993'

export interface RichMembers {
  ends: readonly string[]
  categoryId?: string
}

/** What a create needs of the stock. */
interface Creates {
  newName(): string
  create(members: { name: string; categoryId?: string }): Promise<Exchange>
}

/**
 * Members of animals that need care on their way, if the shop keeps them. Other checks report a shop that does not, and
 * it gets plain animals: one fault is not to break every rule.
 */
export async function findRichMembers(isFree: boolean, { newName, create }: Creates): Promise<RichMembers> {
  const category = isFree ? { categoryId } : {}
  for (const end of ends) {
    const name = `${newName()}${end}`
    const { response, ...made } = await create({ name: JSON.stringify(name), ...category })
    const pet = response && petOf({ ...made, response })
    const isKept = pet?.name === name && (!isFree || pet.categoryId === BigInt(categoryId))
    if (response?.status !== 201 || !isKept) return { ends: [''] }
  }
  return { ends, ...category }
}
