import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import type { LookupFunction } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import {
  AddressRefused,
  type AddressRules,
  bothFamilies,
  endpointLookup,
  isPublic,
  publicNames,
  refusalOfUrl,
  systemNames,
} from '../../src/webhooks/addresses.ts'

/** Names that resolve without a network. Any other has no address. */
const names: Record<string, string[]> = {
  'public.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'private.example': ['10.0.0.7'],
  'mixed.example': ['93.184.215.14', '192.168.1.1'],
  'six.example': ['fd00:ec2::254'],
  'metadata.example': ['169.254.169.254'],
}

async function resolve(name: string): Promise<LookupAddress[]> {
  const found = names[name]
  if (found === undefined) throw new Error(`${name} is unknown`)
  return addressesOf(found)
}

function addressesOf(texts: readonly string[]): LookupAddress[] {
  return texts.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

const rules = { allowPrivate: false, resolve }

const notPublic = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0X7F.0.0.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://127。0。0。1/',
  'http://①②⑦.⓪.⓪.①/',
  'http://%31%32%37.0.0.1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://0.1.2.3/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1:8080/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xA9FEA9FE/',
  'http://2852039166/',
  'http://100.64.0.1/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
  'http://192.0.2.1/',
  'http://192.88.99.1/',
  'http://198.18.0.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[100::1]/',
  'http://[2001::1]/',
  'http://[2001:db8::1]/',
  'http://[2002:7f00:1::]/',
  'http://[3fff::1]/',
  'http://[4000::1]/',
  'http://[5f00::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'https://private.example/',
  'https://PRIVATE.example/',
  'https://mixed.example/',
  'https://six.example/',
  'https://metadata.example/',
  // Name servers do not know it.
  'http://localhost:3000/hook',
  'http://LOCALHOST./',
  'http://shop.localhost/',
]

test('a URL whose address is not public is refused, in every form of an address', async () => {
  const accepted = []
  for (const url of notPublic) if ((await refusalOfUrl(url, rules)) !== 'must be a public address') accepted.push(url)

  assert.deepEqual(accepted, [])
})

test('a URL of another scheme or form is refused', async () => {
  const scheme = 'must be a valid URL that begins with https:// or http://'
  const invalid = ['', 'public.example', '//public.example', 'ftp://public.example/', 'file:///etc/passwd', 'http://']
  invalid.push(
    'unix:///run/docker.sock',
    'javascript:alert(1)',
    'gopher://public.example/',
    'http://public.example:65536/',
  )
  invalid.push('http://[fe80::1%25eth0]/', 'http://256.256.256.256/', 'http://1.2.3.4.5/', 'http://a b/')
  for (const url of invalid) assert.equal(await refusalOfUrl(url, rules), scheme, url)

  for (const url of [
    'https://user@public.example/',
    'https://:secret@public.example/',
    'https://93.184.215.14@10.0.0.1/',
  ])
    assert.equal(await refusalOfUrl(url, rules), 'must have no user name and no password', url)
  assert.equal(await refusalOfUrl('https://public.example:0/', rules), 'must have a port from 1 to 65535')
  assert.equal(
    await refusalOfUrl(`https://public.example/${'a'.repeat(2_048)}`, rules),
    'must have at most 2048 characters',
  )
})

test('a public URL is accepted, with any port, and also a name that does not resolve', async () => {
  const urls = [
    'https://public.example/',
    'http://public.example:8080/a?b=c',
    'https://93.184.215.14/',
    'http://1.1.1.1/',
  ]
  urls.push('https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/', 'https://unknown.example/')
  for (const url of urls) assert.equal(await refusalOfUrl(url, rules), undefined, url)
})

test('private addresses are accepted where they are allowed, without a look-up', async () => {
  const open = { allowPrivate: true, resolve: () => Promise.reject(new Error('looked up')) }

  for (const url of notPublic) assert.equal(await refusalOfUrl(url, open), undefined, url)
  assert.equal(
    await refusalOfUrl('file:///etc/passwd', open),
    'must be a valid URL that begins with https:// or http://',
  )
})

test('what is no address is not a public one', () => {
  assert.deepEqual(['', 'public.example', '1.2.3', 'fe80::1%eth0', '::ffff:1.1.1.1'].filter(isPublic), [])
})

test('a delivery refuses a name with any address that is not public', async () => {
  for (const name of ['private.example', 'mixed.example', 'six.example', 'metadata.example'])
    await assert.rejects(lookUp(name, rules), AddressRefused, name)
  await assert.rejects(lookUp('unknown.example', rules), /unknown/)
  assert.deepEqual(await lookUp('public.example', rules), addressesOf(names['public.example'] ?? []))
  assert.deepEqual(await lookUp('private.example', { allowPrivate: true, resolve }), addressesOf(['10.0.0.7']))
})

test('a name that becomes private after it was accepted is refused at the delivery', async () => {
  let lookUps = 0
  const rebinding = {
    allowPrivate: false,
    resolve: async () => addressesOf(lookUps++ === 0 ? ['1.1.1.1'] : ['127.0.0.1']),
  }

  assert.equal(await refusalOfUrl('https://rebinding.example/', rebinding), undefined)
  await assert.rejects(lookUp('rebinding.example', rebinding), AddressRefused)
})

test('a look-up gives one address if one is asked for, and none as an error', async () => {
  assert.deepEqual(await lookUp('public.example', rules, false), ['93.184.215.14', 4])
  await assert.rejects(lookUp('empty.example', { allowPrivate: false, resolve: async () => [] }), /no address/)
})

const never = new Promise<LookupAddress[]>(() => undefined)

test('the addresses of one family do not wait for those of the other, which are used if they come in time', async () => {
  const [four, six] = [addressesOf(['1.1.1.1']), addressesOf(['2606:4700::1111'])]
  const late = async () => (await setImmediate(), six)

  assert.deepEqual(await bothFamilies(Promise.resolve(four), never), four)
  assert.deepEqual(await bothFamilies(never, Promise.resolve(six)), six)
  assert.deepEqual(await bothFamilies(late(), Promise.resolve(four)), [...four, ...six])
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

test('look-ups by the system do not fill its threads while a name server is silent about IPv6', async () => {
  const asked: number[] = []
  const ask = (family: 4 | 6) => {
    asked.push(family)
    return family === 4 ? Promise.resolve(addressesOf(['10.0.0.7'])) : never
  }

  for (let count = 0; count < 5; count++) assert.deepEqual(await systemNames('shop', ask), addressesOf(['10.0.0.7']))

  assert.equal(asked.filter((family) => family === 6).length, 2)
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

function lookUp(name: string, given: AddressRules, all = true): Promise<unknown> {
  const lookup: LookupFunction = endpointLookup(given)
  return new Promise((resolvePromise, reject) => {
    lookup(name, { all }, (error, address, family) =>
      error === null ? resolvePromise(all ? address : [address, family]) : reject(error),
    )
  })
}
