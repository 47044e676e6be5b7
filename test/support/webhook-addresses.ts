import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { type AddressRules, endpointLookup } from '../../src/webhooks/addresses.ts'

/** Names that resolve without a network. Any other has no address. */
export const names: Record<string, string[]> = {
  'public.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'private.example': ['10.0.0.7'],
  'mixed.example': ['93.184.215.14', '192.168.1.1'],
  'six.example': ['fd00:ec2::254'],
  'metadata.example': ['169.254.169.254'],
}

export async function resolve(name: string): Promise<LookupAddress[]> {
  const found = names[name]
  if (found === undefined) throw new Error(`${name} is unknown`)
  return addressesOf(found)
}

export function addressesOf(texts: readonly string[]): LookupAddress[] {
  return texts.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

export const rules = { allowPrivate: false, resolve }
export const never = new Promise<LookupAddress[]>(() => undefined)

export const notPublic = [
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

export function lookUp(name: string, given: AddressRules, all = true): Promise<unknown> {
  const lookup: LookupFunction = endpointLookup(given)
  return new Promise((resolvePromise, reject) => {
    lookup(name, { all }, (error, address, family) =>
      error === null ? resolvePromise(all ? address : [address, family]) : reject(error),
    )
  })
}
