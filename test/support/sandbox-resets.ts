export const rex = { name: 'Rex', categoryId: 1, status: 'available' }
export const idsOf = (list: { body: unknown }) => (list.body as { id: number }[]).map(({ id }) => id)

export const shopLine = '{"type":"shop","version":1,"counters":{"pets":3,"orders":0,"events":1}}'
export const event = (id: number, data: string, more = '') =>
  `{"type":"event","id":${id},"subject":1,"event":"pet.created","at":"2026-01-01T00:00:00Z","data":${JSON.stringify(data)}${more}}`
export const rexData = '{"id":1,"name":"Rex","categoryId":1}'
export const keyLine = (id: string, hash: string) =>
  `{"type":"key","id":"key_${id}","name":"a","permission":"read","hash":"${hash.padEnd(43, '0')}","createdAt":"2027-01-01T00:00:00.000Z"}`
