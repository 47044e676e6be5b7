import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { linesOf } from '../support/installed-client.ts'

/**
 * In a process of its own, whose timeout for headers is short. The timeout of a plain `fetch`, which is sent later, is
 * the sign that the import has outlived its own.
 */
const program = `
  import { once } from 'node:events'
  import { createServer } from 'node:http'
  import { PetStore } from './client/src/index.ts'

  new Headers()
  const dispatcher = Symbol.for('undici.globalDispatcher.2')
  const Agent = globalThis[dispatcher].constructor
  globalThis[dispatcher] = new Agent({ headersTimeout: 300, bodyTimeout: 300 })
  const waiting = []
  const server = createServer((request, response) => {
    request.resume().once('end', () => server.emit('waiting', waiting.push(response)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = 'http://127.0.0.1:' + server.address().port
  const petstore = new PetStore({ baseUrl: origin + '/v1', apiKey: 'key' })

  const importing = petstore.pets.import('name,categoryId\\n')
  await once(server, 'waiting')
  await fetch(origin).catch(({ cause }) => console.log(cause.code))
  waiting[0].writeHead(200, { 'content-type': 'application/json' })
  waiting[0].end('{"added":7,"rejected":0,"rejects":[]}')
  console.log((await importing).added)
  process.exit()
`

test("an import outlives the runtime's own timeout for headers", async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))

  const lines = await linesOf(process.execPath, ['--input-type=module', '--eval', program], root)

  assert.deepEqual(lines, ['UND_ERR_HEADERS_TIMEOUT', '7'])
})
