import { CategoryName } from '../../contract/category.ts'
import { checker } from '../../contract/checker.ts'
import { NewPet, newPetMembers } from '../../contract/pet.ts'
import { Type } from '../../contract/schema.ts'

const { name, categoryId: _categoryId, ...others } = NewPet.properties
const PetOfNamedCategory = Type.Object({ name, categoryName: CategoryName, ...others })

/** The members that an animal may lack. */
export const optionalMembers: ReadonlySet<string> = new Set(
  newPetMembers.filter((member) => !NewPet.required.some((required) => required === member)),
)

/** The pet of a row. Its category is given by id, or else by name. */
export type RowPet = NewPet | (Omit<NewPet, 'categoryId'> & { categoryName: string })

/** What a row may have. */
export const rowMembers = [...newPetMembers, 'categoryName'] as const

/** Checks what a row has. With both, `categoryId` counts. The case of a status does not. */
export function rowChecker(source: 'json' | 'text') {
  const check = checker(NewPet, source)
  const checkNamed = checker(PetOfNamedCategory, source)
  return (given: Record<string, unknown>): { value: RowPet } | { faults: string } => {
    if (typeof given.status === 'string') given.status = given.status.toLowerCase()
    return (given.categoryId === undefined && given.categoryName !== undefined ? checkNamed : check)(given)
  }
}
