import { useEffect, useRef, useState } from 'preact/hooks'
import type { Pet } from '../../client/src/index.ts'
import { followFeed, isPetChange } from './feed.ts'

/** Chosen animals by the digits of their ids, as the page last saw them. */
export type ChosenPets = ReadonlyMap<string, Pet>

export interface Choice {
  chosen: ChosenPets
  /** Replaces the choice. */
  choose: (pets: readonly Pet[]) => void
  /** Chooses an animal or not; with `isRange` all from the one before it on the page. */
  toggle: (pet: Pet, isRange: boolean) => void
  /** Chooses all animals of the page, or none of them. */
  togglePage: () => void
}

const noPets: ChosenPets = new Map()

/** The choice in a list. It is kept on other pages of the list, and forgotten with its filter. */
export function useChoice(filter: string, shown: readonly Pet[]): Choice {
  const [chosen, setChosen] = useState(noPets)
  const last = useRef<Pet>(undefined)
  useEffect(() => setChosen(noPets), [filter])
  // Also animals on other pages: an Undo sets back what the page had.
  useEffect(
    () =>
      followFeed((change) => {
        if (typeof change === 'object' && isPetChange(change)) setChosen((before) => withChange(before, change))
      }),
    [],
  )
  return {
    chosen,
    choose: (pets) => setChosen(new Map(pets.map((pet) => [String(pet.id), pet]))),
    toggle(pet, isRange) {
      const pets = isRange ? rangeOf(shown, last.current, pet) : [pet]
      last.current = pet
      setChosen(withPets(chosen, pets, !chosen.has(String(pet.id))))
    },
    togglePage: () => setChosen(withPets(chosen, shown, !hasAll(chosen, shown))),
  }
}

export function hasAll(chosen: ChosenPets, pets: readonly Pet[]): boolean {
  return pets.every(({ id }) => chosen.has(String(id)))
}

/** The animals from one to another, in either direction; the last one alone if the first is not there. */
export function rangeOf(pets: readonly Pet[], first: Pet | undefined, last: Pet): readonly Pet[] {
  const [from, to] = [first, last].map((pet) => pets.findIndex(({ id }) => String(id) === String(pet?.id)))
  if (from === undefined || to === undefined || from === -1 || to === -1) return [last]
  return pets.slice(Math.min(from, to), Math.max(from, to) + 1)
}

export function withPets(chosen: ChosenPets, pets: readonly Pet[], isChosen: boolean): ChosenPets {
  const next = new Map(chosen)
  for (const pet of pets) {
    if (isChosen) next.set(String(pet.id), pet)
    else next.delete(String(pet.id))
  }
  return next
}

function withChange(chosen: ChosenPets, change: { type: string; data: Pet }): ChosenPets {
  if (!chosen.has(String(change.data.id))) return chosen
  return withPets(chosen, [change.data], change.type !== 'petstore.pet.deleted')
}
