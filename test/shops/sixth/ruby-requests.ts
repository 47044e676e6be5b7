import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('ruby')
const header = "  header = request.headers['authorization'].to_s\n"
const noHeader = "  raise Refusal.new(401, 'unauthorized', 'An API key is needed.') if header.empty?\n"
const key = '  key = header[/\\ABearer (.+)\\z/, 1]\n'
const compared = "  raise Refusal.new(401, 'unauthorized', 'The API key is not valid.') unless key == KEY\n"
const authorizing = '  authorize(request)\n  case [request.method, request.path]\n'
const routed = "  else raise Refusal.new(404, 'not_found', 'There is nothing here.')\n  end\n"
const notJson = "    raise Refusal.new(400, 'invalid', 'This is not JSON.')\n"
const notObject = "  raise Refusal.new(400, 'invalid', 'This is not an object.') unless given.is_a?(Hash)\n"
const nameText = "  raise Refusal.new(400, 'invalid', 'name is a string.') unless given['name'].is_a?(String)\n"
const categoryType =
  "  raise Refusal.new(400, 'invalid', 'categoryId is an integer.') unless given['categoryId'].is_a?(Integer)\n"
const noCategory = "  raise Refusal.new(400, 'invalid', 'categoryId is needed.') unless given.key?('categoryId')\n"
const badStatus =
  "    raise Refusal.new(400, 'invalid', 'status is unknown.') unless STATUSES.include?(given['status'])\n"
const int64 = 'INT64 = (-(2**63)..(2**63 - 1)).freeze\n'
const fieldsEnd = "    fields['status'] = given['status']\n  end\n  fields\nend\n"
const body = "  return socket.read(headers.fetch('content-length', '0').to_i).to_s unless"
const argumentError = "  [400, { code: 'invalid', message: e.message, status: 400 }]\n"

export const sixthWrongRubyRequests = [
  wrong('keys', 'the pattern of the key ends with its last letter', says.unauthorized, [
    key,
    '  key = header[/\\ABearer (\\w+)/, 1]\n',
  ]),
  wrong('keys', 'the pattern of the key has no beginning', says.bearer, [key, '  key = header[/(\\w+)\\z/, 1]\n']),
  wrong('keys', 'the key has to begin with the key', says.unauthorized, [
    compared,
    compared.replace('key == KEY', 'key.to_s.start_with?(KEY)'),
  ]),
  wrong(
    'keys',
    'the key is checked after the work',
    says.unauthorized,
    [authorizing, '  response = case [request.method, request.path]\n'],
    [routed, `${routed}  authorize(request)\n  response\n`],
  ),
  wrong(
    'keys',
    'nil has no token, 500',
    says.unauthorized,
    [noHeader, ''],
    [header, "  header = request.headers['authorization']\n"],
    [
      'rescue ArgumentError => e\n',
      "rescue NoMethodError => e\n  [500, { code: 'internal', message: e.message.lines.first, status: 500 }]\nrescue ArgumentError => e\n",
    ],
  ),
  wrong('keys', 'a missing key is sent to the login, 302', says.unauthorized, [
    noHeader,
    noHeader.replace('401', '302'),
  ]),
  wrong('concurrency', 'the request whose key is checked is a global', says.unauthorized, [
    authorizing,
    authorizing.replace('authorize(request)', '$request = request\n  sleep 0.002\n  authorize($request)'),
  ]),
  wrong('refusals', 'Integer() reads texts and cuts fractions', says.refused, [
    categoryType,
    `  given['categoryId'] = Integer(given['categoryId'], exception: false)\n${categoryType}`,
  ]),
  wrong('refusals', 'to_i makes 0 of a text and of nothing', says.refused, [
    categoryType,
    `  given['categoryId'] = given['categoryId'].to_i if given['categoryId'].respond_to?(:to_i)\n${categoryType}`,
  ]),
  wrong('refusals', 'the pattern of a status has no beginning and no end', says.statusValues, [
    badStatus,
    badStatus.replace("STATUSES.include?(given['status'])", "given['status'].to_s.match?(/available|pending|sold/)"),
  ]),
  wrong('refusals', 'a status in capitals is taken and kept', says.statusValues, [
    badStatus,
    badStatus.replace("given['status'])", "given['status'].to_s.downcase)"),
  ]),
  wrong(
    'refusals',
    'an unknown status is the ArgumentError of an enum, 500',
    says.refused,
    [
      badStatus,
      `    raise ArgumentError, "'#{given['status']}' is not a valid status" unless STATUSES.include?(given['status'])\n`,
    ],
    [argumentError, argumentError.replaceAll('400', '500')],
  ),
  wrong('refusals', 'a body that is null or an array is a NoMethodError, and gets no response', says.refused, [
    notObject,
    '',
  ]),
  wrong('refusals', 'present? is asked of name, not whether it is a text', says.refused, [
    nameText,
    "  raise Refusal.new(400, 'invalid', 'name is needed.') unless given['name']\n  given['name'] = given['name'].to_s\n",
  ]),
  wrong('refusals', 'a categoryId that is missing is 422', says.refused, [
    noCategory,
    noCategory.replace('400', '422'),
  ]),
  wrong('refusals', 'a status is judged only when it is a text', says.status, [
    badStatus,
    badStatus.replace(
      "STATUSES.include?(given['status'])",
      "!given['status'].is_a?(String) || STATUSES.include?(given['status'])",
    ),
  ]),
  wrong('int64', 'three dots leave the largest int64 out', says.categoryId, [int64, int64.replace('..', '...')]),
  wrong('int64', 'a category has to be positive', says.categoryId, [int64, 'INT64 = (1..(2**63 - 1)).freeze\n']),
  wrong('int64', 'nothing looks at the range of a category', says.refused, [int64, 'INT64 = (nil..nil)\n']),
  wrong('creates', 'the members of the body win over the id', says.id, [
    fieldsEnd,
    fieldsEnd.replace('  fields\n', '  given\n'),
  ]),
  wrong('http', 'a body that comes in two packets is half a body', says.created, [
    body,
    "  length = headers.fetch('content-length', '0').to_i\n  return (length.zero? ? +'' : socket.readpartial(length)) unless",
  ]),
  wrong('errors', 'an unknown animal is a page in HTML', says.errors, [
    '  body = JSON.generate(value)\n',
    "  body = status == 404 ? '<h1>The page you were looking for does not exist.</h1>' : JSON.generate(value)\n",
  ]),
  wrong('errors', 'JSON that cannot be read has no code', says.errorCode, [
    notJson,
    notJson.replace("'invalid'", 'nil'),
  ]),
]
