import { rightIn } from '../shop.ts'

const right = rightIn('node')
const imports = "import { createServer } from 'node:http'\n"
const splitting = "  const [scheme, token, ...rest] = authorization.split(' ')\n"
const scheme = "  if (scheme !== 'Bearer' || rest.length > 0) throw"
const made = '  const pet = { id: nextId++, ...newPet }\n'
const listing = 'function listPets({ query }) {\n'
const checking = '    checkKey(request)\n'
const stringified = '  const text = stringify(body)\n'
const headed =
  "  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })\n"
const written = `${headed}  response.end(text)\n`
const listening = "server.listen(0, '127.0.0.1'"

export const sixthRightNode = [
  right(
    'responses are compressed with brotli for who takes it',
    [imports, `${imports}import { brotliCompressSync } from 'node:zlib'\n`],
    [
      written,
      `  const isCompressed = /\\bbr\\b(?!\\s*;\\s*q=0)/.test(request.headers['accept-encoding'] ?? '')
  const bytes = isCompressed ? brotliCompressSync(text) : Buffer.from(text)
  response.setHeader('vary', 'Accept-Encoding')
  if (isCompressed) response.setHeader('content-encoding', 'br')
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
  response.end(bytes)
`,
    ],
  ),
  right(
    'a response has an ETag, and who has it gets 304',
    [imports, `${imports}import { createHash } from 'node:crypto'\n`],
    [
      written,
      `  if (status === 200) {
    const tag = \`"\${createHash('sha1').update(text).digest('hex')}"\`
    response.setHeader('etag', tag)
    if (request.headers['if-none-match'] === tag) return response.writeHead(304).end()
  }
${written}`,
    ],
  ),
  right(
    'ids are random and of both signs',
    [imports, `${imports}import { randomBytes } from 'node:crypto'\n`],
    [made, made.replace('nextId++', 'randomBytes(8).readBigInt64BE()')],
  ),
  right('a query with anything but a limit and a status that are allowed is 422', [
    listing,
    `${listing}  for (const [name, value] of query) {
    const isAllowed = name === 'limit' ? /^([1-9][0-9]?|100)$/.test(value) : name === 'status' && statuses.includes(value)
    if (!isAllowed) throw new Refusal(422, 'query', \`\${name} is not allowed.\`)
  }
`,
  ]),
  right(
    'bearer may be written in any letters, with more than one space after it',
    [splitting, '  const [scheme, token, ...rest] = authorization.split(/ +/)\n'],
    [scheme, "  if (scheme.toLowerCase() !== 'bearer' || rest.length > 0) throw"],
  ),
  right('each character of a text in JSON is written as \\u', [
    stringified,
    `  const escaped = (unit) => '\\\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0')
  const text = stringify(body).replaceAll(/"(?:[^"\\\\]|\\\\.)*"/g, (part) => '"' + JSON.parse(part).replaceAll(/[^]/g, escaped) + '"')
`,
  ]),
  right('what is no operation needs no key, and is 405 or 404', [
    checking,
    `    const address = request.url.split('?')[0]
    if (!/^\\/v1\\/pets(\\/[^/]+)?$/.test(address)) throw new Refusal(404, 'no_route', 'There is no such address.')
    if (request.method !== 'GET' && !(request.method === 'POST' && address === '/v1/pets')) {
      throw new Refusal(405, 'no_method', 'There is no such method.')
    }
${checking}`,
  ]),
  right('a connection serves three requests', [listening, `server.maxRequestsPerSocket = 3\n${listening}`]),
  right('a response comes in chunks of 50 bytes, with pauses', [
    written,
    `  response.writeHead(status, { 'content-type': 'application/json' })
  const bytes = Buffer.from(text)
  for (let place = 0; place < bytes.length; place += 50) {
    response.write(bytes.subarray(place, place + 50))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  response.end()
`,
  ]),
]
