/** Any key of this form opens a shop of our sandbox, each another one. */
const sandboxKey = /^sandbox_[\w-]+$/

/** Of examples, tests and developers, and what a configuration without a key may be read as. */
const knownKeys = [
  ['special-key', 'test', 'admin', 'secret', 'changeme', 'password', 'demo', 'dev', 'debug', 'guest', 'root', 'master'],
  ['API_KEY', '<API_KEY>', 'your-api-key', 'api-key', 'key', 'token', 'petstore', 'internal', 'system', '123456', '1'],
  ['None', 'nil', 'false', 'NaN', '[object Object]', 'valueOf', 'hasOwnProperty', 'length', '.+', '^', '|', '-', '_'],
].flat()

/** Credentials that are not the key, though a careless comparison takes them for it. */
export function wrongKeys(key: string, mark: string): string[] {
  const other = (character: string | undefined) => (character === 'x' ? 'y' : 'x')
  const middle = Math.floor(key.length / 2)
  const keys = [
    `no-such-key-${mark}`,
    key.slice(0, -1),
    key.slice(0, Math.ceil(key.length / 2)),
    key.slice(1),
    `${key}x`,
    `x${key}`,
    `${key}${key}`,
    key.toUpperCase(),
    key.toLowerCase(),
    'x'.repeat(key.length),
    `${key.slice(0, -1)}${other(key.at(-1))}`,
    `${other(key[0])}${key.slice(1)}`,
    `${key.slice(0, middle)}${other(key[middle])}${key.slice(middle + 1)}`,
    key.split('').toReversed().join(''),
    'null',
    'undefined',
    // Members that every object of JavaScript has.
    '__proto__',
    'constructor',
    'toString',
    'true',
    '0',
    '*',
    '%',
    '.*',
    `' OR '1'='1`,
    `x ${key}`,
    `${key},x`,
    `"${key}"`,
    `Bearer ${key}`,
    Buffer.from(key).toString('base64'),
    // What decoding, unpadding or normalising makes the key of.
    key.replaceAll(/./g, (character) => `%${character.charCodeAt(0).toString(16)}`),
    key.replaceAll(/[^a-z0-9]/gi, ''),
    `${key}=`,
    `${key};x`,
    `x,${key}`,
    ...['_', '?', '.'].map((any) => any.repeat(key.length)),
    ...knownKeys,
    // A second time: a shop may remember what it has seen.
    'null',
    `no-such-key-${mark}`,
  ]
  return keys.filter((one) => isOtherKey(one, key)).map((one) => `Bearer ${one}`)
}

/** Whether the shop must not know this key. */
export function isOtherKey(one: string, key: string): boolean {
  return one !== '' && one !== key && !(sandboxKey.test(key) && sandboxKey.test(one))
}

/** Wrong keys, and none, behind other spellings of the word Bearer and of the space. */
export function otherSpellingsOfBearer(key: string, mark: string): string[] {
  const unknown = `no-such-key-${mark}`
  const keys = [unknown, `${key}x`, key.slice(0, -1)].filter((one) => isOtherKey(one, key))
  const spelled = keys.flatMap((one) => [`bearer ${one}`, `BEARER ${one}`, `Bearer  ${one}`])
  return [...spelled, `bEARER   ${unknown}`, 'bearer', 'BEARER ', 'bearer null', `bearer${key}`]
}

/** Bytes of a text in UTF-8, each as a character. */
const utf8 = (text: string) => Buffer.from(text).toString('latin1')

/** Wrong keys of characters that keys seldom have. HTTP allows them in a header. */
export function oddKeys(key: string): string[] {
  return [
    utf8('schl\u00fcssel'),
    'schl\xfcssel',
    '\xff\xfe\xfd',
    utf8('\u{1f511}'),
    `${key}\xe9`,
    utf8(`\u043a\u043b\u044e\u0447-${key}`),
    'no such key',
    'no\tsuch\tkey',
    'x'.repeat(4000),
    '9'.repeat(400),
    '====',
    'YWJj==',
    '%',
    '%zz%00',
    '%s%n%x',
    '[(*+?{^$|\\',
    `!#$&'()*+,-./:;<=>?@[]^_\`{|}~"`,
    'eyJhbGciOiJub25lIn0.e30.',
    'a.b.c',
    '{"key":1}',
    '../../key',
    '$(id)',
  ].map((one) => `Bearer ${one}`)
}

/** The key, but not as a bearer token. */
export function otherSchemes(key: string): string[] {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  return [
    key,
    `Basic ${key}`,
    `Basic ${base64(`${key}:`)}`,
    `Basic ${base64(`:${key}`)}`,
    `Basic ${base64(`api:${key}`)}`,
    `Basic ${base64(key)}`,
    `Digest ${key}`,
    `Key ${key}`,
    `Negotiate ${key}`,
    `OAuth ${key}`,
    `JWT ${key}`,
    `Basic Bearer ${key}`,
    `Bearers ${key}`,
    `Bear ${key}`,
    `Bearer, ${key}`,
    `Token ${key}`,
    `ApiKey ${key}`,
    `Bearer${key}`,
    `Bearer:${key}`,
    `Bearer=${key}`,
    `XBearer ${key}`,
  ]
}

/** The key in places that the contract does not have. */
export function keyPlaces(key: string): { query?: string; headers?: Record<string, string> }[] {
  const text = encodeURIComponent(key)
  return [
    ...['api_key', 'apiKey', 'apikey', 'api-key', 'access_token', 'token', 'key', 'auth', 'bearer', 'k'].map(
      (name) => ({
        query: `${name}=${text}`,
      }),
    ),
    { query: `authorization=${encodeURIComponent(`Bearer ${key}`)}` },
    { query: `Authorization=${encodeURIComponent(`Bearer ${key}`)}` },
    ...['X-API-Key', 'Api-Key', 'ApiKey', 'X-Auth-Token', 'X-Access-Token', 'X-Token', 'Token', 'Key', 'X-Key'].map(
      (name) => ({ headers: { [name]: key } }),
    ),
    ...['Proxy-Authorization', 'X-Authorization', 'Authentication', 'X-Forwarded-Authorization', 'Auth'].map(
      (name) => ({ headers: { [name]: `Bearer ${key}` } }),
    ),
    { headers: { Cookie: `api_key=${text}; token=${text}; key=${text}; access_token=${text}; apiKey=${text}` } },
    { headers: { Cookie: `Authorization=Bearer ${text}; session=${text}; auth=${text}` } },
    { headers: { 'User-Agent': key, Referer: `http://localhost/?key=${text}` } },
  ]
}
