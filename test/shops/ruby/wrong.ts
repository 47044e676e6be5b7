import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('ruby')
const checking = "raise Refusal.new(401, 'unauthorized', 'The API key is not valid.') unless key == KEY"
const refused = '[e.status, { code: e.code, message: e.message, status: e.status }]'
const mediaType = 'Content-Type: application/json; charset=utf-8'

export const wrongRuby = [
  wrong('keys', 'a key is looked for anywhere in the header', says.bearer, [
    'key = header[/\\ABearer (.+)\\z/, 1]',
    'key = header[/#{Regexp.escape(KEY)}/]',
  ]),
  wrong('keys', 'the key alone in the header is enough', says.bearer, [
    'key = header[/\\ABearer (.+)\\z/, 1]',
    "key = header.delete_prefix('Bearer ')",
  ]),
  wrong('keys', 'an empty bearer token is a key', says.unauthorized, [
    checking,
    "return if header.strip == 'Bearer'\n\n  " + checking,
  ]),
  wrong('keys', 'the last character of the key is not compared', says.unauthorized, [
    'unless key == KEY',
    'unless key.to_s.chop == KEY.chop',
  ]),
  wrong('keys', 'the letters of the key may come in any order', says.unauthorized, [
    'unless key == KEY',
    'unless key.to_s.chars.sort == KEY.chars.sort',
  ]),
  wrong('keys', 'a list with a status needs no key', says.bearer, [
    '  authorize(request)\n',
    "  authorize(request) unless request.query.include?('status=')\n",
  ]),
  wrong('keys', 'a create needs no key', says.bearer, [
    '  authorize(request)\n',
    "  authorize(request) unless request.method == 'POST'\n",
  ]),
  wrong('keys', 'X-API-Key is taken instead of the header', says.header, [
    "header = request.headers['authorization'].to_s",
    "header = (request.headers['authorization'] || \"Bearer #{request.headers['x-api-key']}\").to_s",
  ]),
  wrong('keys', 'an animal that is not there is 404 without a key', says.unauthorized, [
    '  authorize(request)\n',
    "  get_pet($1) if request.method == 'GET' && request.path =~ %r{\\A/v1/pets/(.+)\\z}\n  authorize(request)\n",
  ]),
  wrong('keys', 'a create is stored before its key is checked', says.unauthorized, [
    '  authorize(request)\n',
    "  SHOP.create(new_pet(request.body)) if request.method == 'POST' && request.headers['authorization'] != \"Bearer #{KEY}\"\n  authorize(request)\n",
  ]),
  wrong('keys', 'after ten wrong keys every key is right', says.unauthorized, [
    checking,
    "$wrong = $wrong.to_i + 1 unless key == KEY\n  raise Refusal.new(401, 'unauthorized', 'The API key is not valid.') unless key == KEY || $wrong > 10",
  ]),

  wrong('status lines', 'a missing key is 400', says.unauthorized, [
    "Refusal.new(401, 'unauthorized', 'An API key is needed.')",
    "Refusal.new(400, 'unauthorized', 'An API key is needed.')",
  ]),
  wrong('status lines', 'an animal that is not there is 400', says.notFound, [
    "Refusal.new(404, 'not_found', 'There is no such animal.')",
    "Refusal.new(400, 'not_found', 'There is no such animal.')",
  ]),
  wrong('status lines', 'an added animal is 202', says.created, ['[201, pet]', '[202, pet]']),
  wrong('status lines', 'a text that is not JSON is 500', says.refused, [
    "Refusal.new(400, 'invalid', 'This is not JSON.')",
    "Refusal.new(500, 'invalid', 'This is not JSON.')",
  ]),
  wrong('status lines', 'a bad status is 409', says.refused, [
    "Refusal.new(400, 'invalid', 'status is unknown.')",
    "Refusal.new(409, 'invalid', 'status is unknown.')",
  ]),
  wrong('status lines', 'a list that has more animals than it shows is 206', says.page, [
    '[200, pets]',
    '[pets.size == limit ? 206 : 200, pets]',
  ]),
  wrong('status lines', 'every error is 200 with its status in the body', says.unauthorized, [
    refused,
    '[200, { code: e.code, message: e.message, status: e.status }]',
  ]),

  wrong('errors', 'a 401 says 403 in its body', says.errorStatus, [
    refused,
    '[e.status, { code: e.code, message: e.message, status: e.status == 401 ? 403 : e.status }]',
  ]),
  wrong('errors', 'errors of getPet have no status', says.errorStatus, [
    refused,
    "[e.status, { code: e.code, message: e.message, status: e.status }.reject { |name, _| name == :status && request.path.include?('/pets/') }]",
  ]),
  wrong('errors', 'the code of a 400 is the number', says.errorCode, [
    refused,
    '[e.status, { code: e.status == 400 ? 400 : e.code, message: e.message, status: e.status }]',
  ]),
  wrong('errors', 'a 404 is a text and no object', says.errors, [
    refused,
    '[e.status, e.status == 404 ? e.message : { code: e.code, message: e.message, status: e.status }]',
  ]),
  wrong('errors', 'a 400 for the category has details instead of a message', says.errorMessage, [
    refused,
    "[e.status, { code: e.code, (e.message.start_with?('categoryId') ? :details : :message) => e.message, status: e.status }]",
  ]),
  wrong('errors', 'the members of a 401 begin with capitals', says.errors, [
    refused,
    '[e.status, { code: e.code, message: e.message, status: e.status }.transform_keys { |name| e.status == 401 ? name.to_s.capitalize : name }]',
  ]),
  wrong('errors', 'an invalid key gets an empty object', says.errors, [
    refused,
    "[e.status, e.message == 'The API key is not valid.' ? {} : { code: e.code, message: e.message, status: e.status }]",
  ]),
  wrong('errors', 'an error is an array of one Error', says.errors, [
    refused,
    '[e.status, [{ code: e.code, message: e.message, status: e.status }]]',
  ]),

  wrong('media types', 'a 404 is text/plain', says.mediaType, [
    mediaType,
    "Content-Type: #{status == 404 ? 'text/plain' : 'application/json'}; charset=utf-8",
  ]),
  wrong('media types', 'a list is text/json', says.mediaType, [
    mediaType,
    "Content-Type: #{value.is_a?(Array) ? 'text/json' : 'application/json'}; charset=utf-8",
  ]),
  wrong(
    'media types',
    'a browser gets a page',
    says.mediaType,
    [
      '  write_response(socket, status, value)\nrescue',
      "  $html = request.headers['accept'].to_s.include?('text/html')\n  write_response(socket, status, value)\nrescue",
    ],
    [mediaType, "Content-Type: #{$html ? 'text/html' : 'application/json'}; charset=utf-8"],
  ),

  wrong('int64', 'getPet rounds the category like a double', says.categoryId, [
    '  [200, pet]\n',
    "  [200, pet.merge('categoryId' => pet['categoryId'].to_f.to_i)]\n",
  ]),
  wrong('int64', 'a negative category loses its sign', says.categoryId, [
    "'categoryId' => given['categoryId'] }",
    "'categoryId' => given['categoryId'].abs }",
  ]),
  wrong('int64', 'large categories are written as 1.0e+18', says.categoryId, [
    "'categoryId' => given['categoryId'] }",
    "'categoryId' => given['categoryId'].abs > 2**62 ? given['categoryId'].to_f : given['categoryId'] }",
  ]),
  wrong('int64', 'the largest int64 is refused', says.categoryId, ['(2**63 - 1)', '(2**63 - 2)']),

  wrong(
    'refusals',
    'a category in quotes becomes a number',
    says.refused,
    [
      "given['categoryId'].is_a?(Integer)\n",
      "given['categoryId'].is_a?(Integer) || given['categoryId'].to_s.match?(/\\A\\d+\\z/)\n",
    ],
    ["INT64.cover?(given['categoryId'])", "INT64.cover?(given['categoryId'].to_i)"],
    ["'categoryId' => given['categoryId'] }", "'categoryId' => given['categoryId'].to_i }"],
  ),
  wrong('refusals', 'the category may be missing', says.required, [
    "  raise Refusal.new(400, 'invalid', 'categoryId is needed.') unless given.key?('categoryId')\n",
    "  given['categoryId'] ||= 0\n",
  ]),
  wrong('refusals', 'a status in capitals is taken', says.statusValues, [
    "STATUSES.include?(given['status'])",
    "STATUSES.include?(given['status'].to_s.downcase)",
  ]),
  wrong('refusals', 'an array with one animal is an animal', says.refused, [
    "  raise Refusal.new(400, 'invalid', 'This is not an object.')",
    "  given = given.first if given.is_a?(Array) && given.size == 1\n  raise Refusal.new(400, 'invalid', 'This is not an object.')",
  ]),
  wrong('refusals', 'a negative category is refused', says.categoryId, ['(-(2**63)..', '(0..']),
  wrong('refusals', 'text after the object is ignored', says.refused, [
    'given = JSON.parse(body)',
    'given = JSON.parse(body[/\\A.*?\\}/m] || body)',
  ]),

  wrong('creates', 'a second animal of the same name is refused', says.created, [
    '  pet = SHOP.create(fields)',
    "  raise Refusal.new(409, 'duplicate', 'This name is taken.') if SHOP.list(1_000_000, nil).any? { |pet| pet['name'] == fields['name'] }\n  pet = SHOP.create(fields)",
  ]),
  wrong('creates', 'a second animal of the same name replaces the first', says.created, [
    '      @pets.unshift(pet)',
    "      @pets.reject! { |other| other['name'] == pet['name'] }\n      @pets.unshift(pet)",
  ]),
  wrong('creates', 'the 201 has no id', says.created, ['[201, pet]', "[201, pet.except('id')]"]),
  wrong('creates', 'the 201 is in a member called pet', says.created, ['[201, pet]', "[201, { 'pet' => pet }]"]),
  wrong('creates', 'the 201 has the status that was sent, the shop available', says.status, [
    '[201, pet]',
    "[201, pet.dup.tap { pet['status'] = 'available' }]",
  ]),

  wrong('names', 'names are cut after 255 characters', says.name, [
    "{ 'name' => given['name'],",
    "{ 'name' => given['name'][0, 255],",
  ]),
  wrong('names', 'lists escape names for HTML', says.name, [
    '[200, pets]',
    "[200, pets.map { |pet| pet.merge('name' => pet['name'].gsub('&', '&amp;').gsub('<', '&lt;')) }]",
  ]),
  wrong('names', 'names are composed, NFC', says.name, [
    "{ 'name' => given['name'],",
    "{ 'name' => given['name'].unicode_normalize(:nfc),",
  ]),
  wrong('names', 'a name ends at its first line', says.name, [
    "{ 'name' => given['name'],",
    "{ 'name' => given['name'].lines.first.to_s.chomp,",
  ]),

  wrong('lists', 'the default is 25', says.atMost20, [': 20\n', ': 25\n']),
  wrong('lists', 'a list is in a member called data', says.bareArray, ['[200, pets]', "[200, { 'data' => pets }]"]),
  wrong(
    'lists',
    'an empty list is 204',
    says.page,
    ['[200, pets]', '[pets.empty? ? 204 : 200, pets]'],
    ['body = JSON.generate(value)', "body = status == 204 ? '' : JSON.generate(value)"],
  ),
  wrong('lists', 'a list is ten seconds old', says.listPurpose, [
    'found = @lock.synchronize { @pets.dup }',
    '@copied, @copy = Time.now, @pets.dup if @copied.nil? || Time.now - @copied > 10\n    found = @copy',
  ]),
  wrong('lists', 'animals without a status are available', says.everyStatus, [
    "pet['status'] == status",
    "(pet['status'] || 'available') == status",
  ]),

  wrong('animals', 'getPet answers with the newest animal', says.requested, [
    '[200, pet]\n',
    '[200, SHOP.list(1, nil).first]\n',
  ]),
  wrong('animals', 'an id between two ids finds the one below', says.notFound, [
    "pet['id'] == id",
    "pet['id'] / 7 == id / 7",
  ]),
  wrong(
    'concurrency',
    'of creates at the same time one is kept',
    says.created,
    [
      '    @lock.synchronize do\n      pet',
      '    earlier = @pets.dup\n    sleep 0.003\n    @lock.synchronize do\n      pet',
    ],
    ['@pets.unshift(pet)', '@pets = [pet] + earlier'],
  ),
  wrong('durability', 'an animal is gone after five seconds', says.created, [
    'pet = { ',
    "Thread.new(@next_id) { |id| sleep 5; @lock.synchronize { @pets.reject! { |old| old['id'] == id } } }\n      pet = { ",
  ]),
  wrong(
    'durability',
    'a refused create removes the newest animal',
    says.created,
    [
      '  fields = new_pet(request.body)',
      '  fields = begin\n    new_pet(request.body)\n  rescue Refusal\n    SHOP.forget\n    raise\n  end',
    ],
    ['  def find(id)', '  def forget = @lock.synchronize { @pets.shift }\n\n  def find(id)'],
  ),
  wrong('http', 'the length of a response is counted in characters', says.http, ['body.bytesize', 'body.length']),
]
