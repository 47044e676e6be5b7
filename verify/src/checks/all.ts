import type { Check } from '../shop/check.ts'
import { authenticationChecks } from './authentication.ts'
import { bodyChecks, errorChecks } from './bodies.ts'
import { createChecks } from './create.ts'
import { getChecks, versionChecks } from './get.ts'
import { bulkChecks } from './full/bulk.ts'
import { categoryChecks, inventoryChecks } from './full/categories.ts'
import { etagChecks } from './full/etags.ts'
import { eventChecks, eventFilterChecks } from './full/events.ts'
import { fileChecks } from './full/files.ts'
import { fileOptionChecks } from './full/file-options.ts'
import { idempotencyChecks } from './full/idempotency.ts'
import { invitationChecks } from './full/invitations.ts'
import { keyChecks } from './full/keys.ts'
import { filterChecks, pagingChecks, searchChecks } from './full/lists.ts'
import { orderChecks } from './full/orders.ts'
import { documentChecks, protocolChecks } from './full/protocol.ts'
import { streamChecks } from './full/streams.ts'
import { updateChecks } from './full/updates.ts'
import { webhookChecks } from './full/webhooks.ts'
import { keyFirstChecks } from './key-first.ts'
import { listChecks } from './list.ts'
import { refusedCreateChecks } from './refused-create.ts'
import { requestChecks } from './recommended-requests.ts'
import { responseChecks } from './recommended-responses.ts'
import { resourceChecks } from './resources.ts'
import { transferChecks } from './transfers.ts'
import { valueChecks } from './values.ts'

/** Every check: those of the contract in its order, then our answers where it is silent, then what we offer beyond. */
export const allChecks: readonly Check[] = [
  ...resourceChecks,
  ...valueChecks,
  ...bodyChecks,
  ...transferChecks,
  ...listChecks,
  ...createChecks,
  ...refusedCreateChecks,
  ...getChecks,
  ...authenticationChecks,
  ...keyFirstChecks,
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
