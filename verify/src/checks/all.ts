import type { Check } from '../shop/check.ts'
import { afterRefusalChecks } from './after-refusals.ts'
import { authenticationChecks } from './authentication.ts'
import { bodyChecks, errorChecks } from './bodies.ts'
import { combinationChecks } from './combinations.ts'
import { connectionChecks } from './connections.ts'
import { createChecks } from './create.ts'
import { createFormChecks } from './create-forms.ts'
import { getChecks, versionChecks } from './get.ts'
import { disturbanceChecks } from './disturbances.ts'
import { echoChecks } from './echoes.ts'
import { bulkChecks } from './full/bulk.ts'
import { categoryChecks, inventoryChecks } from './full/categories.ts'
import { etagChecks } from './full/etags.ts'
import { documentChecks } from './full/document.ts'
import { eventChecks, eventFilterChecks } from './full/events.ts'
import { fileChecks } from './full/files.ts'
import { fileOptionChecks } from './full/file-options.ts'
import { idempotencyChecks } from './full/idempotency.ts'
import { invitationChecks } from './full/invitations.ts'
import { keyChecks } from './full/keys.ts'
import { filterChecks, pagingChecks, searchChecks } from './full/lists.ts'
import { orderChecks } from './full/orders.ts'
import { protocolChecks } from './full/protocol.ts'
import { streamChecks } from './full/streams.ts'
import { updateChecks } from './full/updates.ts'
import { webhookChecks } from './full/webhooks.ts'
import { keyFirstChecks } from './key-first.ts'
import { keyPartChecks, keyPlaceChecks } from './key-parts.ts'
import { listChecks } from './list.ts'
import { nameFormChecks } from './name-forms.ts'
import { refusedCreateChecks } from './refused-create.ts'
import { openCreateChecks } from './open-creates.ts'
import { requestChecks } from './recommended-requests.ts'
import { responseChecks } from './recommended-responses.ts'
import { resourceChecks } from './resources.ts'
import { sequenceChecks } from './sequences.ts'
import { transferChecks } from './transfers.ts'
import { valueChecks } from './values.ts'
import { wholeResponseChecks } from './whole-responses.ts'

/** Every check: those of the contract in its order, then our answers where it is silent, then what we offer beyond. */
export const allChecks: readonly Check[] = [
  ...resourceChecks,
  ...valueChecks,
  ...nameFormChecks,
  ...combinationChecks,
  ...bodyChecks,
  ...connectionChecks,
  ...transferChecks,
  ...wholeResponseChecks,
  ...sequenceChecks,
  ...echoChecks,
  ...disturbanceChecks,
  ...listChecks,
  ...createChecks,
  ...refusedCreateChecks,
  ...createFormChecks,
  ...afterRefusalChecks,
  ...openCreateChecks,
  ...getChecks,
  ...keyPlaceChecks,
  ...authenticationChecks,
  ...keyFirstChecks,
  ...keyPartChecks,
  ...errorChecks,
  ...versionChecks,
  ...requestChecks,
  ...responseChecks,
  ...updateChecks,
  ...etagChecks,
  ...idempotencyChecks,
  ...pagingChecks,
  ...filterChecks,
  ...searchChecks,
  ...orderChecks,
  ...eventChecks,
  ...streamChecks,
  ...eventFilterChecks,
  ...categoryChecks,
  ...inventoryChecks,
  ...keyChecks,
  ...invitationChecks,
  ...webhookChecks,
  ...bulkChecks,
  ...fileChecks,
  ...fileOptionChecks,
  ...protocolChecks,
  ...documentChecks,
]
