import { says } from '../contract.ts'
import { rightIn, wrongIn } from '../shop.ts'

const wrong = wrongIn('ruby')
const right = rightIn('ruby')
const listing = "  pets = SHOP.list(limit, query['status'])\n"
const requested = "  raise Refusal.new(404, 'not_found', 'There is no such animal.') unless pet\n"
const written = '  body = JSON.generate(value)\n'

export const thirdWrongRuby = [
  wrong('keys', 'the header of the key is found in lower case only', says.header, [
    '    headers[name.downcase] = value.strip\n',
    '    headers[name.match?(/\\Aauthorization\\z/i) ? name : name.downcase] = value.strip\n',
  ]),
  wrong(
    'keys',
    'no key at all is the old key, which is not set',
    says.unauthorized,
    ['/\\ABearer (.+)\\z/', '/\\ABearer\\b *(.*)\\z/'],
    ['unless key == KEY', "unless [KEY, ENV.fetch('OLD_SHOP_KEY', '')].include?(key)"],
  ),
  wrong('media types', 'a create with a charset in its media type is 415', says.mediaType, [
    '  fields = new_pet(request.body)\n',
    "  type = request.headers['content-type']\n  raise Refusal.new(415, 'media_type', 'Send application/json.') unless [nil, 'application/json'].include?(type)\n\n  fields = new_pet(request.body)\n",
  ]),
  wrong('refusals', 'a status is taken when one of its lines is one', says.statusValues, [
    "unless STATUSES.include?(given['status'])",
    "unless given['status'].is_a?(String) && given['status'].match?(/^(available|pending|sold)$/)",
  ]),
  wrong('animals', 'the sign of an id is not read', says.notFound, [
    'SHOP.find(text.to_i)',
    'SHOP.find(text[/\\d+/].to_i)',
  ]),
  wrong('status lines', 'an id between two ids is 500', says.notFound, [
    requested,
    `  newest = SHOP.list(1, nil).first\n  raise Refusal.new(500, 'internal', 'undefined method for nil') if pet.nil? && newest && text.to_i.between?(1001, newest['id'])\n${requested}`,
  ]),
  wrong('names', 'a response that Latin 1 can hold is written in it', says.http, [
    written,
    `${written}  body = begin\n    body.encode('ISO-8859-1')\n  rescue EncodingError\n    body\n  end\n`,
  ]),
  wrong('errors', 'the message is null in a language that the shop does not speak', says.errorMessage, [
    '  [e.status, { code: e.code, message: e.message, status: e.status }]\n',
    "  message = { 'en' => e.message }[request.headers.fetch('accept-language', 'en')[0, 2]]\n  [e.status, { code: e.code, message: message, status: e.status }]\n",
  ]),
  wrong('creates', 'ids are random from 1 to 500, and one that is taken is given again', says.id, [
    "{ 'id' => @next_id }",
    "{ 'id' => rand(1..500) }",
  ]),
  wrong('concurrency', 'the 201 has the highest id of the moment in which it is written', says.created, [
    '  [201, pet]\n',
    "  sleep 0.003\n  [201, pet.merge('id' => SHOP.list(1, nil).first['id'])]\n",
  ]),
  wrong(
    'lists',
    'lists are kept for 0.3 s, and found again by their status alone',
    says.limit,
    ['SHOP = Shop.new\n', 'SHOP = Shop.new\nKEPT = {}\n'],
    [
      listing,
      "  since, pets = KEPT[query['status']]\n  if since.nil? || Time.now - since > 0.3\n    pets = SHOP.list(limit, query['status'])\n    KEPT[query['status']] = [Time.now, pets]\n  end\n",
    ],
  ),
  wrong('lists', 'a status that is not the last parameter is ignored', says.everyStatus, [
    listing,
    '  pets = SHOP.list(limit, request.query[/\\bstatus=(\\w+)\\z/, 1])\n',
  ]),
  wrong('lists', 'of animals with the same name lists show one', says.listPurpose, [
    '    found.first(limit)\n',
    "    found.uniq { |pet| pet['name'] }.first(limit)\n",
  ]),
]

export const thirdRightRuby = [
  right('every response takes 150 ms', [
    '  status, value = respond(request)\n',
    '  status, value = respond(request)\n  sleep 0.15\n',
  ]),
  right(
    'headers are in odd case, and the status line has no reason',
    ["#{status} #{REASONS.fetch(status, 'Other')}", '#{status} '],
    ['Content-Type: application/json; charset=utf-8', 'cONTENT-tYPE: application/json;charset=\\"UTF-8\\"'],
    ['"Content-Length: ', '"CONTENT-LENGTH:'],
    ['"Connection: close', '"connection:Close'],
  ),
]
