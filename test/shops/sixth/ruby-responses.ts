import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('ruby')
const made = "      pet = { 'id' => @next_id }.merge(fields)\n"
const counting = '      @next_id += 7\n'
const unshift = '      @pets.unshift(pet)\n'
const locked = `    @lock.synchronize do\n${made}${counting}${unshift}      pet\n    end\n`
const found = "    @lock.synchronize { @pets.find { |pet| pet['id'] == id } }\n"
const filtered = "    found = found.select { |pet| pet['status'] == status } if status\n"
const paged = '    found.first(limit)\n'
const limits = "  limit = query.key?('limit') ? query['limit'].to_i.clamp(1, 100) : 20\n"
const listed = '  [200, pets]\n'
const created = '  [201, pet]\n'
const requested = '  [200, pet]\n'
const noAnimal = "  raise Refusal.new(404, 'not_found', 'There is no such animal.') unless pet\n"
const refused = '  [e.status, { code: e.code, message: e.message, status: e.status }]\n'
const badStatus =
  "    raise Refusal.new(400, 'invalid', 'status is unknown.') unless STATUSES.include?(given['status'])\n"
const generated = '  body = JSON.generate(value)\n'
const length = '"Content-Length: #{body.bytesize}\\r\\n"'
const typed = '"Content-Type: application/json; charset=utf-8\\r\\n"'
const statusLine = '"HTTP/1.1 #{status} #{REASONS.fetch(status, \'Other\')}\\r\\n"'
const shop = 'SHOP = Shop.new\n'

export const sixthWrongRubyResponses = [
  wrong('errors', 'an error is a list of errors, as JSON:API has it', says.errors, [
    refused,
    '  [e.status, { errors: [{ status: e.status.to_s, code: e.code, title: e.message }] }]\n',
  ]),
  wrong('errors', 'an unknown animal is {"status": 404, "error": "Not Found"}', says.errors, [
    noAnimal,
    "  return [404, { status: 404, error: 'Not Found' }] unless pet\n",
  ]),
  wrong('errors', 'the message of a refused body is a list of messages', says.errorMessage, [
    refused,
    '  [e.status, { code: e.code, message: e.status == 400 ? [e.message] : e.message, status: e.status }]\n',
  ]),
  wrong('errors', 'the status of an error is the name of it', says.errorStatus, [
    refused,
    '  [e.status, { code: e.code, message: e.message, status: { 401 => :unauthorized, 404 => :not_found }.fetch(e.status, :bad_request) }]\n',
  ]),
  wrong(
    'errors',
    'the text of a refused status is not escaped in its error',
    says.errors,
    [badStatus, badStatus.replace("'status is unknown.'", '%("#{given[\'status\']}" is unknown.)')],
    [
      generated,
      '  body = status == 400 ? %({"code":"#{value[:code]}","message":"#{value[:message]}","status":400}) : JSON.generate(value)\n',
    ],
  ),
  wrong('media types', 'an error is application/problem+json', says.mediaType, [
    typed,
    '"Content-Type: application/#{\'problem+\' if status >= 400}json; charset=utf-8\\r\\n"',
  ]),
  wrong('media types', 'a created animal is application/vnd.api+json', says.mediaType, [
    typed,
    '"Content-Type: application/#{\'vnd.api+\' if status == 201}json; charset=utf-8\\r\\n"',
  ]),
  wrong(
    'media types',
    'the type of a response is the first text type that its client accepts',
    says.mediaType,
    [
      '  write_response(socket, status, value)\n',
      "  $type = request.headers.fetch('accept', '*/*')[%r{\\Atext/[a-z]+}] || 'application/json; charset=utf-8'\n  write_response(socket, status, value)\n",
    ],
    [typed, '"Content-Type: #{$type}\\r\\n"'],
  ),
  wrong('http', 'a length is that of the text in characters', says.http, [
    length,
    length.replace('bytesize', 'length'),
  ]),
  wrong('lists', 'a list is the table of its animals, each in a member pet', says.page, [
    listed,
    '  [200, pets.map { |pet| { pet: pet } }]\n',
  ]),
  wrong('lists', 'a list without a status is grouped by status', says.bareArray, [
    listed,
    "  [200, query['status'] ? pets : pets.group_by { |pet| pet['status'] }]\n",
  ]),
  wrong('lists', 'a range with two dots goes to the limit and has the limit in it', says.limit, [
    paged,
    '    found[0..limit]\n',
  ]),
  wrong('lists', 'the larger of limit and 100 is taken', says.limit, [
    limits,
    "  limit = query.key?('limit') ? [query['limit'].to_i, 100].max : 20\n",
  ]),
  wrong('lists', 'nothing is cut from a list whose limit was not given', says.atMost20, [
    limits,
    limits.replace(': 20', ': 10**6'),
  ]),
  wrong('lists', 'a list without animals is 404', says.page, [
    listed,
    "  raise Refusal.new(404, 'not_found', 'There are no animals.') if pets.empty?\n\n  [200, pets]\n",
  ]),
  wrong('lists', 'animals of a list have only id, name and status', says.pets, [
    listed,
    "  [200, pets.map { |pet| pet.slice('id', 'name', 'status') }]\n",
  ]),
  wrong(
    'lists',
    'select! leaves only animals of one status in the store',
    says.requested,
    [filtered, "    found.select! { |pet| pet['status'] == status } if status\n"],
    ['    found = @lock.synchronize { @pets.dup }\n', '    found = @lock.synchronize { @pets }\n'],
  ),
  wrong(
    'animals',
    'all animals are one Hash, which merge! fills',
    says.requested,
    [made, "      pet = TEMPLATE.merge!('id' => @next_id).merge!(fields)\n"],
    [shop, `TEMPLATE = {}\n${shop}`],
  ),
  wrong('animals', 'bsearch looks for an animal in the other order', says.requested, [
    found,
    "    @lock.synchronize { @pets.bsearch { |pet| id <=> pet['id'] } }\n",
  ]),
  wrong('animals', 'the default scope hides animals that are sold', says.requested, [
    found,
    found.replace('== id }', "== id && pet['status'] != 'sold' }"),
  ]),
  wrong('animals', 'one animal is the closest id that is not larger', says.notFound, [
    found,
    found.replace('== id }', '<= id }'),
  ]),
  wrong('animals', 'one animal is in a member pet', says.requested, [requested, '  [200, { pet: pet }]\n']),
  wrong('animals', 'the id of one animal is a text, as to_param has it', says.requested, [
    requested,
    "  [200, pet.merge('id' => pet['id'].to_s)]\n",
  ]),
  wrong('creates', 'a created animal is a 201 with nothing but its length', says.created, [
    generated,
    "  body = status == 201 ? '' : JSON.generate(value)\n",
  ]),
  wrong('creates', 'what was created is true', says.created, [created, '  [201, { success: true }]\n']),
  wrong('creates', 'a created animal is in an array, as from a bulk insert', says.created, [
    created,
    '  [201, [pet]]\n',
  ]),
  wrong('durability', 'an animal takes the place of another with its name', says.requested, [
    unshift,
    "      @pets.reject! { |other| other['name'] == pet['name'] }\n" + unshift,
  ]),
  wrong('concurrency', 'the next id is written back after a pause', says.id, [
    locked,
    `    id = @next_id
    sleep 0.001
    @next_id = id + 7
    pet = { 'id' => id }.merge(fields)
    @lock.synchronize { @pets.unshift(pet) }
    pet
`,
  ]),
  wrong('status lines', 'a refused key is 200 on the first line', says.unauthorized, [
    statusLine,
    '"HTTP/1.1 #{status == 401 ? 200 : status} OK\\r\\n"',
  ]),
  wrong('status lines', 'a created animal is 202', says.created, [created, '  [202, pet]\n']),
  wrong(
    'names',
    'a name that Latin-1 does not have cannot be stored, 500',
    says.created,
    [unshift, "      pet['name'].encode('ISO-8859-1')\n" + unshift],
    [
      'rescue ArgumentError => e\n',
      "rescue EncodingError => e\n  [500, { code: 'internal', message: e.message, status: 500 }]\nrescue ArgumentError => e\n",
    ],
  ),
]
