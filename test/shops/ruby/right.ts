import { rightIn } from '../shop.ts'

const right = rightIn('ruby')
const refused = '[e.status, { code: e.code, message: e.message, status: e.status }]'

export const rightRuby = [
  right('as it is'),
  right('the media type has capitals and no space', [
    'Content-Type: application/json; charset=utf-8',
    'content-type: Application/JSON;charset=UTF-8',
  ]),
  right('lists are ordered by name', [
    '    found.first(limit)',
    "    found.sort_by { |pet| pet['name'] }.first(limit)",
  ]),
  right('errors have more members', [
    refused,
    "[e.status, { code: e.code, message: e.message, status: e.status, details: [], requestId: 'f3' }]",
  ]),
  right(
    'bearer in any case, and a challenge in the 401',
    ['/\\ABearer (.+)\\z/', '/\\Abearer +(.+)\\z/i'],
    ['"Connection: close', '"#{"WWW-Authenticate: Bearer\\r\\n" if status == 401}Connection: close'],
  ),
  right('JSON is written for people', ['body = JSON.generate(value)', 'body = JSON.pretty_generate(value) + "\\n"']),
  right(
    'responses come in chunks',
    ['"Content-Length: #{body.bytesize}\\r\\n"', '"Transfer-Encoding: chunked\\r\\n"'],
    ['\\r\\n\\r\\n#{body}")', '\\r\\n\\r\\n#{body.bytesize.to_s(16)}\\r\\n#{body}\\r\\n0\\r\\n\\r\\n")'],
  ),
  right('150 animals are there from the start', [
    'SHOP = Shop.new\n',
    "SHOP = Shop.new\n150.times { |n| SHOP.create({ 'name' => \"Old #{n}\", 'categoryId' => n }.merge(n % 4 == 3 ? {} : { 'status' => STATUSES[n % 4] })) }\n",
  ]),
  right('a create with unknown members is refused', [
    "  fields = { 'name'",
    "  raise Refusal.new(400, 'invalid', 'A member is unknown.') unless (given.keys - %w[id name categoryId status]).empty?\n\n  fields = { 'name'",
  ]),
  right('1.0 is an integer', [
    '    given = JSON.parse(body)',
    "    given = JSON.parse(body)\n    given['categoryId'] = given['categoryId'].to_i if given.is_a?(Hash) && given['categoryId'].is_a?(Float) && given['categoryId'] % 1 == 0 && given['categoryId'].abs < 1e15",
  ]),
]
