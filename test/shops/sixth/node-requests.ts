import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('node')
const imports = "import { createServer } from 'node:http'\n"
const state = 'let nextId = 1n\n'
const checking = 'function checkKey({ headers }) {\n'
const unsent = "  if (!authorization) throw new Refusal(401, 'unauthenticated', 'No API key was sent.')\n"
const splitting = "  const [scheme, token, ...rest] = authorization.split(' ')\n"
const scheme =
  "  if (scheme !== 'Bearer' || rest.length > 0) throw new Refusal(401, 'unauthenticated', 'Use: Bearer <API_KEY>')\n"
const compared = '  if (token !== key) '
const malformed = "    throw new Refusal(400, 'malformed', 'The body is not valid JSON.')\n"
const nameText = "  if (typeof name !== 'string') throw new Refusal(400, 'invalid', 'name must be a string.')\n"
const categoryType = "  if (typeof categoryId !== 'bigint') "
const categoryRange = '  if (categoryId !== BigInt.asIntN(64, categoryId)) '
const taking = '  const { name, categoryId, status } = body\n'
const noName = '  if (name === undefined) '
const noCategory = '  if (categoryId === undefined) '
const badStatus = '  if (!statuses.includes(status)) '
const withStatus = '  return { name, categoryId, status }\n'
const started =
  "    checkKey(request)\n    const { pathname: path, searchParams: query } = new URL(request.url, 'http://shop')\n"
const reading = '    const chunks = await Array.fromAsync(request)\n'

export const sixthWrongNodeRequests = [
  wrong(
    'keys',
    'a request without the header has the token of the request before',
    says.unauthorized,
    [state, `${state}let token\n`],
    [unsent, ''],
    [splitting, "  if (authorization) token = authorization.startsWith('Bearer ') ? authorization.slice(7) : ''\n"],
    [scheme, ''],
  ),
  wrong('keys', 'the check of the key is async, and nobody awaits it', says.unauthorized, [
    checking,
    `process.on('unhandledRejection', () => {})\n\nasync ${checking}`,
  ]),
  wrong('keys', 'a second key that is not set is sent by who sends no token', says.unauthorized, [
    compared,
    "  if (![key, process.env['SHOP_OLD_KEY']].includes(token)) ",
  ]),
  wrong(
    'keys',
    'timingSafeEqual throws on a key of another length, 400',
    says.unauthorized,
    [imports, `import { timingSafeEqual } from 'node:crypto'\n${imports}`],
    [compared, '  if (!timingSafeEqual(Buffer.from(token), Buffer.from(key))) '],
  ),
  wrong(
    'keys',
    'the key may be any word of the header',
    says.bearer,
    [scheme, ''],
    [splitting, "  const words = authorization.split(' ')\n"],
    [compared, '  if (!words.includes(key)) '],
  ),
  wrong(
    'keys',
    'optional chaining lets a header of one word pass',
    says.unauthorized,
    [splitting, "  const token = authorization.split(' ')[1]?.trim()\n"],
    [scheme, ''],
    [compared, '  if (token && token !== key) '],
  ),
  wrong('keys', 'an animal that does not exist is told without a key', says.unauthorized, [
    started,
    `    const { pathname: path, searchParams: query } = new URL(request.url, 'http://shop')
    if (path.startsWith('/v1/pets/')) getPet({ path })
    checkKey(request)
`,
  ]),
  wrong('keys', 'a header that is not a bearer token is a bad request', says.unauthorized, [
    scheme,
    scheme.replace("401, 'unauthenticated'", "400, 'invalid_request'"),
  ]),
  wrong('http', 'an address with a query is no address', says.limit, [
    '    const operation = route(request.method, path)\n',
    '    const operation = route(request.method, request.url)\n',
  ]),
  wrong('http', 'only the first chunk of a body is read', says.created, [reading, `${reading}    chunks.splice(1)\n`]),
  wrong(
    'refusals',
    'a category is what isNaN does not refuse',
    says.refused,
    [categoryType, '  if (isNaN(Number(categoryId))) '],
    [categoryRange, "  if (typeof categoryId === 'bigint' && categoryId !== BigInt.asIntN(64, categoryId)) "],
  ),
  wrong('refusals', 'a category that is no integer is what parseInt makes of it', says.refused, [
    taking,
    `  const { name, status } = body
  let { categoryId } = body
  if (categoryId !== undefined && typeof categoryId !== 'bigint') {
    const number = parseInt(categoryId, 10)
    categoryId = Number.isNaN(number) ? null : BigInt(number)
  }
`,
  ]),
  wrong('refusals', 'the category 0 is falsy, so it is missing', says.refused, [noCategory, '  if (!categoryId) ']),
  wrong('refusals', 'available has the index 0 and is refused', says.created, [
    badStatus,
    '  if (!(statuses.indexOf(status) > 0)) ',
  ]),
  wrong(
    'refusals',
    'any name is made a text with String()',
    says.refused,
    [nameText, ''],
    [noName, "  if (name === undefined || name === '') "],
    [withStatus, '  return { name: String(name), categoryId, status }\n'],
    [
      '  if (status === undefined) return { name, categoryId }\n',
      '  if (status === undefined) return { name: String(name), categoryId }\n',
    ],
  ),
  wrong('refusals', 'a name may be an array, which is an object with a length', says.refused, [
    nameText,
    "  if (!(name?.length >= 0)) throw new Refusal(400, 'invalid', 'name must be a string.')\n",
  ]),
  wrong(
    'refusals',
    'the length of a text without a value is asked for, and it is 500',
    says.refused,
    [
      noName,
      "  if (name.length > 5000) throw new Refusal(400, 'invalid', 'name is too long.')\n  if (name === undefined) ",
    ],
    ['const { status = 400, code, message } = error', 'const { status = 500, code, message } = error'],
  ),
  wrong(
    'int64',
    'a category has the 32 bits of >>> 0',
    says.categoryId,
    [withStatus, withStatus.replace('categoryId', 'categoryId: BigInt.asUintN(32, categoryId)')],
    [
      '  if (status === undefined) return { name, categoryId }\n',
      '  if (status === undefined) return { name, categoryId: BigInt.asUintN(32, categoryId) }\n',
    ],
  ),
  wrong('int64', 'a category must be a safe integer', says.created, [
    categoryRange,
    '  if (!Number.isSafeInteger(Number(categoryId))) ',
  ]),
  wrong(
    'errors',
    'a body that is not JSON is told by the error handler of Express',
    says.errors,
    [malformed, "    throw Object.assign(new Refusal(400, 'malformed', 'Bad Request'), { isPage: true })\n"],
    [
      '    return { status, body: { code: String(code), message, status } }\n',
      '    return { status, body: { code: String(code), message, status }, isPage: error.isPage }\n',
    ],
    ['const { status, body } = await', 'const { status, body, isPage } = await'],
    [
      '  const text = stringify(body)\n',
      '  const text = isPage ? `<!DOCTYPE html>\\n<pre>SyntaxError: ${body.message}</pre>\\n` : stringify(body)\n',
    ],
    [
      "{ 'content-type': 'application/json',",
      "{ 'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json',",
    ],
  ),
]
