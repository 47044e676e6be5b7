import { petMembers } from '../../../contract/pet.ts'
import type { ImportedPet } from '../../../inventory/imports.ts'
import { loopSteps } from '../../../inventory/loop-steps.ts'
import { indexedWords } from '../../../inventory/name-words.ts'
import { toNewPetRow } from '../../shared/rows/pet-row.ts'
import { copyLine, typeOf } from '../connection/many-rows.ts'

const { id: _, ...stagedMembers } = petMembers
const stagedColumns = Object.values(stagedMembers)
  .map((member) => `${member.column} ${typeOf(member)}`)
  .join(', ')

// A temporary table: invisible for others, and removed with the transaction, however it ends.
export const createStagedPets = `
  CREATE TEMPORARY TABLE staged_pets (nth int8, ${stagedColumns}, words text, new_category int4) ON COMMIT DROP`

/** The rows of COPY, a text for each step of the event loop. `nth` is the number of pets before these. */
export async function* copyText(pets: readonly ImportedPet[], nth: number): AsyncGenerator<string> {
  const steps = loopSteps()
  let text = ''
  for (const pet of pets) {
    text += copyLine([++nth, ...toNewPetRow(pet), indexedWords(pet.name), pet.newCategory ?? null])
    if (!steps.isOver()) continue
    yield text
    text = ''
    await steps.next()
  }
  if (text !== '') yield text
}
