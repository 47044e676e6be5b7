import type { RawRequest } from './exchange.ts'
import { lastEtag, type Parts, rawRequest } from './raw-request.ts'

const rex = '{"name":"Rex","categoryId":1,"status":"available"}'

/** Sends JSON. */
function send(name: string, start: string, body: string, ...headers: string[]): RawRequest {
  return rawRequest(name, start, { headers: ['Content-Type: application/json', ...headers], body })
}

/** Sends a file of animals. */
function sendFile(name: string, query: string, { headers = [], ...parts }: Parts): RawRequest {
  const type = parts.body?.startsWith('{') ? 'application/x-ndjson' : 'text/csv'
  return rawRequest(name, `POST /v1/pets/import${query}`, { ...parts, headers: [`Content-Type: ${type}`, ...headers] })
}

/** A create that may be retried. */
function retried(operation: string, start: string, body: string, other: string): RawRequest[] {
  const key = `Idempotency-Key: "${operation}"`
  return [
    send(`${operation}: with an idempotency key`, start, body, key),
    send(`${operation}: replayed`, start, body, key),
    send(`${operation}: replayed, key without quotes`, start, body, key.replaceAll('"', '')),
    send(`${operation}: replayed, strict`, start, body, key, 'Prefer: handling=strict'),
    send(`${operation}: mismatch`, start, other, key),
  ]
}

/** Shows what the changes before did, also to caches. */
function readAll(when: string): RawRequest[] {
  return [
    '/pets?limit=2',
    '/pets/1',
    '/pets/2',
    '/store/orders',
    '/store/inventory',
    '/store/inventory?limit=1',
    '/store/inventory?name=c',
    '/store/inventory?sort=id&limit=1',
    '/categories',
    '/events?sort=-id',
  ].map((path) => rawRequest(`${path} ${when}`, `GET /v1${path}`))
}

/** Every change that succeeds, and those that the state of the shop refuses. */
export const changes: readonly RawRequest[] = [
  send('createPet: minimal', 'POST /v1/pets', '{"name":"Ida","categoryId":1}'),
  send('createPet: all members', 'POST /v1/pets', rex),
  rawRequest('createPet: by a writer', 'POST /v1/pets', {
    key: 'write',
    headers: ['Content-Type: application/json'],
    body: rex,
  }),
  send('createPet: precondition', 'POST /v1/pets', rex, 'If-Match: "x"'),
  send('createPet: other members', 'POST /v1/pets', '{"id":9,"__proto__":1,"name":"Ö 🐕","categoryId":-1e0}'),
  send('createPet: int64', 'POST /v1/pets', '{"name":"Max","categoryId":9223372036854775807}'),
  send('createPet: int64 and one', 'POST /v1/pets', '{"name":"Max","categoryId":9223372036854775808}'),
  send('createPet: byte order mark', 'POST /v1/pets', `\uFEFF${rex}`),
  send('createPet: strict', 'POST /v1/pets', rex, 'Prefer: handling=strict'),
  send('createPet: continue', 'POST /v1/pets', rex, 'Expect: 100-continue'),
  send('createPet: chunked', 'POST /v1/pets', `32\r\n${rex}\r\n0\r\n\r\n`, 'Transfer-Encoding: chunked'),
  send('createPet: another query', 'POST /v1/pets?x=1', rex),
  rawRequest('createPet: media type with charset', 'POST /v1/pets', {
    headers: ['Content-Type: Application/JSON; charset="UTF-8"'],
    body: rex,
  }),
  rawRequest('createPet: half closed', 'POST /v1/pets', {
    headers: ['Content-Type: application/json'],
    body: rex,
    ending: 'half-close',
  }),
  send('createPet: 64 KiB', 'POST /v1/pets', `{"name":"${'a'.repeat(1_001)}","categoryId":1}`.padEnd(65_536)),
  send('createPet: above 64 KiB', 'POST /v1/pets', rex.padEnd(65_537)),
  ...retried('createPet', 'POST /v1/pets', rex, rex.replace('1', '2')),
  ...readAll('after creates'),

  send('updatePet: name', 'PATCH /v1/pets/1', '{"name":"Ben"}'),
  send('updatePet: this version', 'PATCH /v1/pets/1', '{"name":"Bo"}', `If-Match: ${lastEtag}`),
  send('updatePet: any version', 'PATCH /v1/pets/1', '{"status":null}', 'If-Match: *'),
  send('updatePet: not this version', 'PATCH /v1/pets/1', '{"categoryId":2}', `If-None-Match: ${lastEtag}`),
  send('updatePet: strict', 'PATCH /v1/pets/1', '{"status":"available"}', 'Prefer: handling=strict'),
  rawRequest('updatePet: merge patch', 'PATCH /v1/pets/1', {
    headers: ['Content-Type: application/merge-patch+json'],
    body: '{}',
  }),
  send('updatePet: ordered', 'PATCH /v1/pets/2', '{"status":"sold"}'),
  rawRequest('deletePet: ordered', 'DELETE /v1/pets/2'),
  ...retried('placeOrder', 'POST /v1/store/orders', '{"petId":1,"customer":"Ann"}', '{"petId":2}'),
  send('placeOrder: taken', 'POST /v1/store/orders', '{"petId":1}'),
  send('placeOrder: unknown animal', 'POST /v1/store/orders', '{"petId":999}'),
  send('placeOrder: with a note', 'POST /v1/store/orders', '{"petId":5,"note":"Ring twice"}'),
  send('updateOrder: texts', 'PATCH /v1/store/orders/2', '{"customer":null,"note":"Call first"}'),
  send('updateOrder: completed', 'PATCH /v1/store/orders/2', '{"status":"completed"}', `If-Match: ${lastEtag}`),
  send('updateOrder: ended', 'PATCH /v1/store/orders/2', '{"status":"cancelled"}'),
  send('updateOrder: cancelled', 'PATCH /v1/store/orders/1', '{"status":"cancelled"}'),
  ...readAll('after orders'),

  ...retried('createCategory', 'POST /v1/categories', '{"name":"Dogs"}', '{"name":"Birds"}'),
  send('putCategory: renamed', 'PUT /v1/categories/1', '{"name":"Big cats"}', 'If-Match: *'),
  send('putCategory: not anew', 'PUT /v1/categories/1', '{"name":"Cats"}', 'If-None-Match: *'),
  send('putCategory: anew', 'PUT /v1/categories/-7', '{"name":"Birds"}', 'If-None-Match: *'),
  rawRequest('deleteCategory: in use', 'DELETE /v1/categories/1'),
  rawRequest('deleteCategory: strict', 'DELETE /v1/categories/2', { headers: ['Prefer: handling=strict'] }),
  rawRequest('deleteCategory: again', 'DELETE /v1/categories/2'),
  rawRequest('deletePet: with a body', 'DELETE /v1/pets/2', { body: '{}' }),
  rawRequest('deletePet: again', 'DELETE /v1/pets/2'),

  sendFile('importPets: NDJSON', '', { body: `${rex}\n{"name":""}\n${rex}` }),
  sendFile('importPets: CSV', '', { body: 'name,categoryId,status\nKim,3,\nLou,x,sold\n' }),
  sendFile('importPets: all or nothing', '?mode=all-or-nothing', { body: `${rex}\n{}\n` }),
  sendFile('importPets: names of categories', '?create-categories=true&dry-run=true', {
    body: 'name;categoryName\nKim;Parrots\nLou;\n',
  }),
  sendFile('importPets: unknown category', '', { body: 'name,categoryName\nKim,Parrots\n' }),
  sendFile('importPets: not a boolean', '?dry-run=yes', { body: rex }),
  sendFile('importPets: no header line', '', { body: 'Kim;3' }),
  sendFile('importPets: chunked', '', {
    headers: ['Transfer-Encoding: chunked'],
    body: `32\r\n${rex}\r\n0\r\n\r\n`,
  }),
  sendFile('importPets: continue', '', { headers: ['Expect: 100-continue'], body: rex }),
  ...['with an idempotency key', 'replayed'].map((name) =>
    sendFile(`importPets: ${name}`, '', { headers: ['Idempotency-Key: file'], body: rex }),
  ),
  sendFile('importPets: mismatch', '', { headers: ['Idempotency-Key: file'], body: `${rex}\n${rex}` }),
  sendFile('importPets: with an id', '?importId=summer', { body: `${rex}\n${rex}` }),
  sendFile('importPets: the same again', '?dry-run=true', { body: `${rex}\n${rex}` }),
  sendFile('importPets: not an id', '?importId=a%20b', { body: rex }),
  rawRequest('export an import', 'GET /v1/pets/export?importId=summer&format=ndjson'),
  rawRequest('undoImport: done', 'POST /v1/pets/imports/summer/undo'),
  rawRequest('undoImport: again', 'POST /v1/pets/imports/summer/undo'),
  rawRequest('undoImport: unknown', 'POST /v1/pets/imports/winter/undo'),
  sendFile('importPets: undone', '?importId=summer', { body: rex }),
  ...readAll('after imports'),
  rawRequest('export as CSV', 'GET /v1/pets/export?format=csv&status=available'),
  rawRequest('export for a spreadsheet', 'GET /v1/pets/export?spreadsheet=true&separator=semicolon&status=available'),
  rawRequest('export for a spreadsheet as NDJSON', 'GET /v1/pets/export?spreadsheet=true&format=ndjson'),
  rawRequest('export orders as CSV', 'GET /v1/store/orders/export'),
  rawRequest('export orders as NDJSON', 'GET /v1/store/orders/export?format=ndjson&status=placed'),
  rawRequest('last page', 'GET /v1/pets?limit=2&sort=-id'),

  send(
    'bulkChangePets',
    'POST /v1/pets/bulk',
    '{"filter":{"categoryId":1,"status":"available"},"change":{"status":"sold"}}',
  ),
  ...['with an idempotency key', 'replayed'].map((name) =>
    send(
      `bulkChangePets: ${name}`,
      'POST /v1/pets/bulk',
      '{"filter":{"ids":[1,2]},"delete":true}',
      'Idempotency-Key: bulk',
    ),
  ),
  send('bulkChangePets: empty filter', 'POST /v1/pets/bulk', '{"filter":{},"delete":true}'),
  rawRequest('bulkChangePets: another method', 'DELETE /v1/pets/bulk'),
  ...readAll('after a bulk change'),

  send('createKey', 'POST /v1/keys', '{"name":"web shop","permission":"read","expiresAt":"2099-01-01T00:00:00Z"}'),
  send('createKey: idempotency key', 'POST /v1/keys', '{"name":"web shop"}', 'Idempotency-Key: a'),
  send('updateKey', 'PATCH /v1/keys/key_other', '{"name":"counter"}'),
  send('updateKey: no name', 'PATCH /v1/keys/key_other', '{}'),
  send('rotateKey', 'POST /v1/keys/key_other/rotate', '{"replacedKeyExpiresAt":"2099-01-01T00:00:00Z"}'),
  send('rotateKey: in the past', 'POST /v1/keys/key_other/rotate', '{"replacedKeyExpiresAt":"2001-01-01T00:00:00Z"}'),
  send('createInvitation', 'POST /v1/invitations', '{"name":"Zoë 🐕","permission":"admin"}'),
  send(
    'createInvitation: idempotency key',
    'POST /v1/invitations',
    '{"name":"A","permission":"read"}',
    'Idempotency-Key: a',
  ),
  send(
    'createInvitation: too long',
    'POST /v1/invitations',
    '{"name":"A","permission":"read","expiresAt":"2099-01-01T00:00:00Z"}',
  ),
  rawRequest('redeemInvitation: idempotency key', 'POST /v1/invitations/redeem', {
    key: 'invited',
    headers: ['Idempotency-Key: a'],
  }),
  rawRequest('redeemInvitation', 'POST /v1/invitations/redeem', { key: 'invited' }),
  rawRequest('redeemInvitation: again', 'POST /v1/invitations/redeem', { key: 'invited' }),
  rawRequest('redeemInvitation: another method', 'GET /v1/invitations/redeem'),
  rawRequest('listInvitations: after a redeem', 'GET /v1/invitations'),
  rawRequest('deleteInvitation', 'DELETE /v1/invitations/1'),
  rawRequest('deleteInvitation: again', 'DELETE /v1/invitations/1'),
  send('createWebhook', 'POST /v1/webhooks', '{"url":"https://93.184.215.14/hook","types":["petstore.order.placed"]}'),
  send('createWebhook: idempotency key', 'POST /v1/webhooks', '{"url":"https://93.184.215.14/"}', 'Idempotency-Key: a'),
  send('createWebhook: not public', 'POST /v1/webhooks', '{"url":"https://10.0.0.1/hook"}'),
  send('updateWebhook', 'PATCH /v1/webhooks/2', '{"types":null,"description":"orders","enabled":false}'),
  send('updateWebhook: enabled', 'PATCH /v1/webhooks/2', '{"enabled":true}', `If-Match: ${lastEtag}`),
  rawRequest('rotateWebhook', 'POST /v1/webhooks/2/rotate'),
  rawRequest('rotateWebhook: idempotency key', 'POST /v1/webhooks/2/rotate', { headers: ['Idempotency-Key: a'] }),
  rawRequest('testWebhook', 'POST /v1/webhooks/1/test'),
  rawRequest('resendDelivery', 'POST /v1/webhooks/1/deliveries/1/resend'),
  rawRequest('resendDelivery: no such event', 'POST /v1/webhooks/1/deliveries/2/resend'),
  rawRequest('resendDelivery: a test', 'POST /v1/webhooks/1/deliveries/3/resend'),
  rawRequest('resendDelivery: no such try', 'POST /v1/webhooks/2/deliveries/1/resend'),
  rawRequest('deleteWebhook', 'DELETE /v1/webhooks/2'),
  rawRequest('deleteWebhook: again', 'DELETE /v1/webhooks/2'),
  rawRequest('revokeKey', 'POST /v1/keys/key_write/revoke'),
  rawRequest('revokeKey: the revoked one is refused', 'GET /v1/pets/1', { key: 'write' }),
  rawRequest('revokeKey: the last admin', 'POST /v1/keys/key_admin/revoke'),
]
