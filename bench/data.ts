/** An animal as it is on the wire. */
export interface Animal {
  id: number
  name: string
  categoryId: number
  status: 'available' | 'pending' | 'sold'
}

export const pageSize = 20

const given = [
  'Rex Luna Mia Tom Coco Bella Max Charlie Lucy Buddy Daisy Rocky Molly Bailey Sadie Duke',
  'Zoë Oscar Nala Simba Chloé Leo Milo Kiwi Bubbles Hoppel Paco Ruby Jack Lola Toby ポチ',
].flatMap((line) => line.split(' '))
const family = [
  'of the Meadow, the Brave, from Willow Farm, Junior, the Second, Whiskers, Longtail, Snow',
  'the Quick, Barkley, Thunder, of Oak Hill, the Small, Biscuit, Pepper, Sunny',
].flatMap((line) => line.split(', '))

/**
 * The animal with this id, the same in every run. Made from the id alone, so that any page can be told without the ones
 * before it. Every animal has a status: peers that are plainly written would otherwise say `"status":null`, and all
 * columns shall send the same bytes.
 */
export function animal(id: number): Animal {
  const bits = scramble(id)
  const share = (bits >>> 19) % 10
  return {
    id,
    name: `${given[bits & 31]} ${family[(bits >>> 5) & 15]}`,
    categoryId: 1 + ((bits >>> 9) % 50),
    status: share < 7 ? 'available' : share < 8 ? 'pending' : 'sold',
  }
}

export function page(after: number, status?: Animal['status'], size = pageSize): Animal[] {
  const items: Animal[] = []
  for (let id = after + 1; items.length < size && id < after + 10_000; id++) {
    const next = animal(id)
    if (status === undefined || next.status === status) items.push(next)
  }
  return items
}

/** `count` ids from 0 to `below`, spread evenly and in an order without a pattern; each once if there are enough. */
export function someIds(count: number, below: number): number[] {
  if (count >= below) return shuffled(Array.from({ length: below }, (_, index) => index))
  return shuffled(Array.from({ length: count }, (_, index) => Math.floor((index * below) / count)))
}

function shuffled(ids: number[]): number[] {
  for (let index = ids.length - 1; index > 0; index--) {
    const other = scramble(index) % (index + 1)
    const kept = ids[index] as number
    ids[index] = ids[other] as number
    ids[other] = kept
  }
  return ids
}

// One step of mulberry32: 32 bits that look random, from a number.
function scramble(number: number): number {
  let bits = Math.imul(number, 0x6d2b79f5) + 0x5eed
  bits = Math.imul(bits ^ (bits >>> 15), bits | 1)
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
  return (bits ^ (bits >>> 14)) >>> 0
}
