export interface Animal {
  id: number
  name: string
  categoryId: number
  status: string
}

/** What a client wants created, under a key of its own. */
export interface Creation {
  /** Sent as the Idempotency-Key. */
  key: string
  animal: Omit<Animal, 'id'>
}

/** What clients were told, to be held against what is there in the end. */
export interface Ledger {
  /** The creations that were answered, with the answer. */
  readonly acknowledged: ReadonlyMap<Creation, Animal>
  next(): Creation
  acknowledge(creation: Creation, answer: Animal): void
  /** The client gave up without an answer: the animal may exist, once. */
  abandon(creation: Creation): void
  /** Every sentence is a broken promise. */
  compare(found: readonly Animal[]): string[]
}

export function emptyLedger(): Ledger {
  const acknowledged = new Map<Creation, Animal>()
  const abandoned = new Set<string>()
  let count = 0

  return {
    acknowledged,
    next() {
      const number = ++count
      return { key: `attempt ${number}`, animal: { name: `pet ${number}`, categoryId: number % 7, status: 'pending' } }
    },
    acknowledge: (creation, answer) => void acknowledged.set(creation, answer),
    abandon: ({ animal }) => void abandoned.add(animal.name),
    compare(found) {
      const byName = Map.groupBy(found, ({ name }) => name)
      const byId = Map.groupBy(found, ({ id }) => id)
      const expected = new Set(abandoned)
      const broken: string[] = []
      for (const [{ animal }, answer] of acknowledged) {
        expected.add(animal.name)
        const [first] = byName.get(animal.name) ?? []
        if (first === undefined) broken.push(`${animal.name} was acknowledged and is lost`)
        else if (!isSame(first, answer)) broken.push(`${animal.name} is not what was acknowledged`)
        if (!isSame(answer, { ...animal, id: answer.id }))
          broken.push(`${animal.name} was answered with another animal`)
      }
      for (const [name, { length }] of byName) {
        if (length > 1) broken.push(`${name} exists ${length} times`)
        if (!expected.has(name)) broken.push(`${name} exists and nobody asked for it`)
      }
      for (const [id, { length }] of byId) if (length > 1) broken.push(`${length} animals have the id ${id}`)
      return broken
    },
  }
}

function isSame(one: Animal, other: Animal): boolean {
  return (['id', 'name', 'categoryId', 'status'] as const).every((member) => one[member] === other[member])
}
