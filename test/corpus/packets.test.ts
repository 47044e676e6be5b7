import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { startApp } from '../support/app.ts'
import { sqliteInMemory } from '../support/engines.ts'
import { exchange, parseResponses, type RawRequest, type RawResponse } from './exchange.ts'
import { lastEtag } from './raw-request.ts'
import { corpus } from './requests.ts'
import { fillShop, now } from './shop.ts'

const rounds = 60
const last = 'GET /livez HTTP/1.1\r\nHost: petstore\r\nConnection: close\r\n\r\n'

test('requests get the responses that they get alone, however many are in a packet and wherever it ends', async (t) => {
  const storage = await sqliteInMemory.open(t, () => now)
  await fillShop(storage)
  const { origin } = await startApp(t, { clock: () => now, storage, adminKey: 'admin', corsOrigins: ['*'] })
  const port = Number(new URL(origin).port)
  const alone = await sendAlone(port)
  assert.ok(alone.length > 100)
  const random = randomNumbers(20_261_117)

  for (let round = 0; round < rounds; round++) {
    const chosen = Array.from({ length: 1 + random(14) }, () => alone[random(alone.length)] as Answered)
    const responses = await sendInPackets(port, `${chosen.map(({ bytes }) => bytes).join('')}${last}`, random)

    const names = chosen.map(({ name }) => name).join(' | ')
    assert.deepEqual(
      responses.slice(0, -1).map(shown),
      chosen.map(({ response }) => shown(response)),
      names,
    )
    assert.equal(responses.at(-1)?.body.toString(), '{"status":"ok"}', names)
  }
})

interface Answered extends RawRequest {
  response: RawResponse
}

/** The requests that change nothing and after which the connection stays open, with their responses. */
async function sendAlone(port: number): Promise<Answered[]> {
  const alone: Answered[] = []
  const isUsable = ({ name, bytes, isChange, ending }: RawRequest) =>
    /^(listPets|createPet|getPet|updatePet|deletePet|listEvents): /.test(name) &&
    !(isChange ?? ending ?? (bytes.startsWith('HEAD') || bytes.includes(lastEtag)))
  for (const request of corpus.filter(isUsable)) {
    const { responses, connection } = await exchange({ port }, request)
    if (connection === 'open') alone.push({ ...request, response: responses.at(-1) as RawResponse })
  }
  return alone
}

async function sendInPackets(port: number, text: string, random: (below: number) => number): Promise<RawResponse[]> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  const closed = once(socket, 'close')
  const bytes = Buffer.from(text)
  for (let start = 0, length = 0; start < bytes.length; start += length) {
    length = random(3) === 0 ? bytes.length : 1 + random(400)
    socket.write(bytes.subarray(start, start + length))
    for (let ticks = random(4); ticks > 0; ticks--) await setImmediate()
  }
  await closed
  return parseResponses(Buffer.concat(chunks), false, true)
}

function shown({ statusLine, headers, body }: RawResponse) {
  return { statusLine, headers: headers.filter(([name]) => name !== 'date'), body: body.toString() }
}

/** Always the same numbers, so that a failure comes again. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}
