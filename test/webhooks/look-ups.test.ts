import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { AddressRefused, bothFamilies, publicNames, refusalOfUrl } from '../../src/webhooks/addresses.ts'
import { addressesOf, lookUp, never, notPublic, rules } from '../support/webhook-addresses.ts'

test('name servers are asked where private addresses are not allowed, and the system where they are', async (t) => {
  t.mock.method(Resolver.prototype, 'resolve4', async () => ['93.184.215.14', '10.0.0.7'])
  t.mock.method(Resolver.prototype, 'resolve6', () => Promise.reject(new Error('ENODATA')))
  const cancel = t.mock.method(Resolver.prototype, 'cancel', () => undefined)

  assert.equal(await refusalOfUrl('https://shop.example/', { allowPrivate: false }), 'must be a public address')
  await assert.rejects(lookUp('shop.example', { allowPrivate: false }), AddressRefused)
  assert.equal(cancel.mock.callCount(), 2)
  const own = (await lookUp('localhost', { allowPrivate: true })) as LookupAddress[]
  assert.ok(own.some(({ address, family }) => address === '127.0.0.1' && family === 4))
  assert.equal(new Set(own.map(({ address }) => address)).size, own.length)
  assert.ok(own.every(({ address }) => address.startsWith('127.') || address === '::1'))
})

test('private addresses are accepted where they are allowed, without a look-up', async () => {
  const open = { allowPrivate: true, resolve: () => Promise.reject(new Error('looked up')) }

  for (const url of notPublic) assert.equal(await refusalOfUrl(url, open), undefined, url)
  assert.equal(
    await refusalOfUrl('file:///etc/passwd', open),
    'must be a valid URL that begins with https:// or http://',
  )
})

test('a look-up gives one address if one is asked for, and none as an error', async () => {
  assert.deepEqual(await lookUp('public.example', rules, false), ['93.184.215.14', 4])
  await assert.rejects(lookUp('empty.example', { allowPrivate: false, resolve: async () => [] }), /no address/)
})

test('the addresses of one family do not wait for those of the other, which are used if they come in time', async () => {
  const [four, six] = [addressesOf(['1.1.1.1']), addressesOf(['2606:4700::1111'])]
  const late = async () => (await setImmediate(), six)

  assert.deepEqual(await bothFamilies(Promise.resolve(four), never), four)
  assert.deepEqual(await bothFamilies(never, Promise.resolve(six)), six)
  assert.deepEqual(await bothFamilies(late(), Promise.resolve(four)), [...four, ...six])
  const lateFour = async () => (await setImmediate(), four)
  assert.deepEqual(await bothFamilies(lateFour(), Promise.resolve(six)), [...four, ...six])
  assert.deepEqual(await bothFamilies(Promise.resolve(four), Promise.reject(new Error('ENODATA'))), four)
  await assert.rejects(bothFamilies(Promise.reject(new Error('one')), Promise.reject(new Error('other'))), /one/)
})

test('a name server that is silent about IPv6 delays no look-up, and no private address passes beside a public one', async (t) => {
  const server = await startNameServer(t, { 'public.example': '93.184.215.14', 'private.example': '10.0.0.7' })
  const resolver = () => {
    const made = new Resolver({ timeout: 30_000, tries: 1 })
    made.setServers([server])
    return made
  }
  const given = { allowPrivate: false, resolve: (name: string) => publicNames(name, resolver()) }
  const start = performance.now()

  assert.deepEqual(await lookUp('public.example', given), addressesOf(['93.184.215.14']))
  await assert.rejects(lookUp('private.example', given), AddressRefused)

  assert.ok(performance.now() - start < 10_000)
})

/** Answers questions for A, and never those for AAAA. */
async function startNameServer(t: TestContext, known: Record<string, string>): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const labels: string[] = []
    let at = 12
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const found = known[labels.join('.').toLowerCase()]
    if (question.readUInt16BE(at + 1) !== 1 || found === undefined) return
    const header = Buffer.from([...question.subarray(0, 2), 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...found.split('.').map(Number)])
    socket.send(Buffer.concat([header, question.subarray(12, at + 5), answer]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return `127.0.0.1:${socket.address().port}`
}
