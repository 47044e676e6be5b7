import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { AddressRefused, isPublic, readEndpointUrl, refusalOfUrl, systemNames } from '../../src/webhooks/addresses.ts'
import { addressesOf, lookUp, names, never, notPublic, resolve, rules } from '../support/webhook-addresses.ts'

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
  invalid.push('http:///public.example/', 'https:public.example', 'http:\\\\public.example', ' https://public.example')
  invalid.push('http://[fe80::1%25eth0]/', 'http://256.256.256.256/', 'http://1.2.3.4.5/', 'http://a b/')
  for (const url of invalid) {
    assert.equal(await refusalOfUrl(url, rules), scheme, url)
    // Some of these are read as another address, which is refused or not: `refusalOfUrl` looks at the text first.
    if (!URL.parse(url)?.protocol.startsWith('http')) assert.throws(() => readEndpointUrl(url, rules), { rule: scheme })
  }

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

test('a host name that there can never be is refused, on every machine, and the longest one is accepted', async () => {
  const [label, longest] = ['a'.repeat(63), [...Array<string>(3).fill('a'.repeat(63)), 'a'.repeat(61)].join('.')]
  const rule = 'must have a host name of parts with 1 to 63 characters, at most 253 in all'

  for (const host of [
    'a..b',
    '.b',
    'a..',
    'a.b..',
    '..',
    `${label}a.example`,
    `a.${label}a`,
    `${longest}a`,
    'ü'.repeat(63),
  ])
    for (const allowPrivate of [false, true])
      assert.equal(await refusalOfUrl(`http://${host}/`, { ...rules, allowPrivate }), rule, host)
  for (const host of ['a.b.', 'a_b.example', `${label}.example`, longest, `${longest}.`, 'bücher.example'])
    assert.equal(await refusalOfUrl(`http://${host}/`, rules), undefined, host)
})

test('a public URL is accepted, with any port, and also a name that does not resolve', async () => {
  const urls = [
    'https://public.example/',
    'http://public.example:8080/a?b=c',
    'https://93.184.215.14/',
    'http://1.1.1.1/',
  ]
  urls.push('https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/', 'https://unknown.example/')
  urls.push('https://localhost.example/', 'https://mylocalhost/', 'https://public.example/'.padEnd(2_048, 'a'))
  for (const url of urls) assert.equal(await refusalOfUrl(url, rules), undefined, url)
})

test('an address in a URL is not looked up', async () => {
  const asked: string[] = []
  const recording = { allowPrivate: false, resolve: async (name: string) => (asked.push(name), resolve(name)) }

  for (const host of ['93.184.215.14', '[2606:2800:21f:cb07:6820:80da:af6b:8b2c]', 'public.example'])
    assert.equal(await refusalOfUrl(`https://${host}/`, recording), undefined)

  assert.deepEqual(asked, ['public.example'])
})

test('the check of a URL waits two seconds for its name, and then accepts it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let refusal: unknown = 'none yet'
  const checked = refusalOfUrl('https://slow.example/', { allowPrivate: false, resolve: () => never }).then(
    (found) => (refusal = found),
  )
  t.mock.timers.tick(2_000 - 1)
  await setImmediate()
  assert.equal(refusal, 'none yet')

  t.mock.timers.tick(1)
  assert.equal(await checked, undefined)
})

test('the check of a URL leaves no timer behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()

  assert.equal(await refusalOfUrl('https://public.example/', rules), undefined)
  assert.equal(timers(), before)
})

test('a fault of ours in the check of a URL is no refusal', async () => {
  const broken = {
    allowPrivate: false,
    resolve() {
      throw new RangeError('a fault')
    },
  }

  await assert.rejects(refusalOfUrl('https://public.example/', broken), RangeError)
})

test('a name that the system does not know is an error of the system', async () => {
  await assert.rejects(systemNames('a'.repeat(300)), { syscall: 'getaddrinfo' })
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
