import { createCategory } from './create-category.ts'
import { createKey } from './create-key.ts'
import { createPet } from './create-pet.ts'
import type { Decision } from './decision.ts'
import { placeOrder } from './place-order.ts'
import { putCategory } from './put-category.ts'
import { removeCategory } from './remove-category.ts'
import { removePet } from './remove-pet.ts'
import { revokeKey } from './revoke-key.ts'
import { rotateKey } from './rotate-key.ts'
import { updateOrder } from './update-order.ts'
import { updatePet } from './update-pet.ts'

/** Every rule by name; the write of the same name applies it on every engine. */
export const rules = {
  createPet,
  updatePet,
  removePet,
  placeOrder,
  updateOrder,
  putCategory,
  createCategory,
  removeCategory,
  createKey,
  revokeKey,
  rotateKey,
}

export type RuleName = keyof typeof rules
export type Command<Name extends RuleName> = Parameters<(typeof rules)[Name]>[1]
export type Outcome<Name extends RuleName> =
  ReturnType<(typeof rules)[Name]> extends Decision<infer Result> ? Result : never

export function isRule(name: string): name is RuleName {
  return Object.hasOwn(rules, name)
}
