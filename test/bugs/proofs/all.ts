import { changeProofs } from './changes.ts'
import { fileProofs } from './files.ts'
import type { Proof } from './proof.ts'
import { requestProofs } from './requests.ts'
import { responseProofs } from './responses.ts'
import { slowProofs } from './slow.ts'
import { valueProofs } from './values.ts'

/** For each bug, what shows it. */
export const proofs: Readonly<Record<string, Proof>> = {
  ...requestProofs,
  ...valueProofs,
  ...responseProofs,
  ...changeProofs,
  ...fileProofs,
  ...slowProofs,
}
