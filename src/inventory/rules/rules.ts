import { indexCost } from '../name-words.ts'
import { changePets } from './change-pets.ts'
import { createCategory } from './create-category.ts'
import { createInvitation } from './create-invitation.ts'
import { createKey } from './create-key.ts'
import { createPet } from './create-pet.ts'
import { createWebhook } from './create-webhook.ts'
import type { Rule } from './decision.ts'
import { disableWebhook } from './disable-webhook.ts'
import type { Needs } from './facts.ts'
import { placeOrder } from './place-order.ts'
import { putCategory } from './put-category.ts'
import { redeemInvitation } from './redeem-invitation.ts'
import { removeCategory } from './remove-category.ts'
import { removeInvitation } from './remove-invitation.ts'
import { removePet } from './remove-pet.ts'
import { renameKey } from './rename-key.ts'
import { removeWebhook } from './remove-webhook.ts'
import { revokeKey } from './revoke-key.ts'
import { rotateKey } from './rotate-key.ts'
import { rotateWebhook } from './rotate-webhook.ts'
import { undoImport } from './undo-import.ts'
import { updateOrder } from './update-order.ts'
import { updatePet } from './update-pet.ts'
import { updateWebhook } from './update-webhook.ts'

/** Every rule by name, with what it needs and costs; the write of the same name applies it on every engine. */
export const rules = {
  createPet: rule(
    createPet,
    () => ({}),
    ({ pet }) => indexCost(pet.name),
  ),
  updatePet: rule(
    updatePet,
    ({ id }) => ({ resources: { pets: [id] } }),
    ({ change }) => indexCost(change.name ?? ''),
  ),
  removePet: rule(removePet, ({ id }) => ({ resources: { pets: [id] } })),
  changePets: rule(
    changePets,
    ({ ids }) => ({ resources: { pets: ids } }),
    ({ cost }) => cost,
  ),
  undoImport: rule(
    undoImport,
    ({ id, petIds }) => ({
      resources: { imports: [id], pets: petIds },
      oldestEventId: true,
      changedPets: petIds,
    }),
    ({ cost }) => cost,
  ),
  placeOrder: rule(placeOrder, ({ order }) => ({ resources: { pets: [order.petId] } })),
  updateOrder: rule(updateOrder, ({ id }) => ({ resources: { orders: [id] } })),
  putCategory: rule(putCategory, ({ category }) => ({ resources: { categories: [category.id] } })),
  createCategory: rule(createCategory, () => ({ highestCategoryId: true })),
  removeCategory: rule(removeCategory, ({ id }) => ({ resources: { categories: [id] }, emptyCategories: [id] })),
  createKey: rule(createKey, keysOf),
  renameKey: rule(renameKey, keysOf),
  revokeKey: rule(revokeKey, keysOf),
  rotateKey: rule(rotateKey, keysOf),
  createInvitation: rule(createInvitation, adminOf),
  removeInvitation: rule(removeInvitation, invitationOf),
  redeemInvitation: rule(redeemInvitation, invitationOf),
  createWebhook: rule(createWebhook, () => ({ rowCounts: ['webhooks'] })),
  updateWebhook: rule(updateWebhook, webhookOf),
  removeWebhook: rule(removeWebhook, webhookOf),
  rotateWebhook: rule(rotateWebhook, webhookOf),
  disableWebhook: rule(disableWebhook, webhookOf),
}

/** `cost`: of what is stored, beyond a pet with a short name and as a multiple of it. It bounds a group of writes. */
function rule<Command, Outcome>(
  decide: Rule<Command, Outcome>,
  needs: (command: Command) => Needs,
  cost: (command: Command) => number = () => 0,
) {
  return { decide, needs, cost }
}

function keysOf({ id, by }: { id: string; by?: string | undefined }): Needs {
  return { keys: by === undefined ? [id] : [id, by] }
}

function adminOf({ by }: { by?: string | undefined }): Needs {
  return { keys: by === undefined ? [] : [by] }
}

function invitationOf({ id, by }: { id: bigint; by?: string | undefined }): Needs {
  return { resources: { invitations: [id] }, ...adminOf({ by }) }
}

function webhookOf({ id }: { id: bigint }): Needs {
  return { resources: { webhooks: [id] } }
}

export type RuleName = keyof typeof rules
export type Command<Name extends RuleName> = Parameters<(typeof rules)[Name]['decide']>[1]
export type Outcome<Name extends RuleName> = ReturnType<(typeof rules)[Name]['decide']>['outcome']

export function isRule(name: string): name is RuleName {
  return Object.hasOwn(rules, name)
}

/** The `cost` of a rule, for a command that was sent with its name. */
export function ruleCost(name: RuleName, command: unknown): number {
  const { cost } = rules[name] as { cost: (command: never) => number }
  return cost(command as never)
}
