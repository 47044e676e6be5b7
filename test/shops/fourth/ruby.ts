import { says } from '../contract.ts'
import { rightIn, wrongIn } from '../shop.ts'

const wrong = wrongIn('ruby')
const right = rightIn('ruby')
const generated = '  body = JSON.generate(value)\n'
const statusLine = '  socket.write("HTTP/1.1 #{status} #{REASONS.fetch(status, \'Other\')}\\r\\n" \\\n'
const typed = '               "Content-Type: application/json; charset=utf-8\\r\\n" \\\n'
const closing = '"Connection: close\\r\\n\\r\\n#{body}")\n'
const headers = (extra: string) =>
  `"HTTP/1.1 #{status} OK\\r\\nContent-Type: application/json\\r\\n${extra}Transfer-Encoding: chunked\\r\\nConnection: close\\r\\n\\r\\n"`
const stored = '      @pets.unshift(pet)\n'
const parsing = '    given = JSON.parse(body)\n'
const unknown = "    raise Refusal.new(400, 'invalid', 'status is unknown.') unless"
const page = "  pets = SHOP.list(limit, query['status'])\n"
const rescued = '  [e.status, { code: e.code, message: e.message, status: e.status }]\n'
const authorizing = 'def authorize(request)\n'

export const fourthWrongRuby = [
  wrong('http', 'a response above 4096 bytes comes in chunks, whose sizes are decimal', says.http, [
    generated,
    `${generated}  if body.bytesize > 4096\n    parts = body.scan(/.{1,1000}/m).map { |part| "#{part.bytesize}\\r\\n#{part}\\r\\n" }\n    return socket.write(${headers('')}, *parts, "0\\r\\n\\r\\n")\n  end\n`,
  ]),
  wrong('http', 'an error comes in chunks and has a length as well', says.http, [
    generated,
    `${generated}  if status >= 400\n    return socket.write(${headers('Content-Length: #{body.bytesize}\\r\\n')}, "#{body.bytesize.to_s(16)}\\r\\n#{body}\\r\\n0\\r\\n\\r\\n")\n  end\n`,
  ]),
  wrong(
    'http',
    'the 201 has the name in a header, with its line breaks',
    says.http,
    [generated, `${generated}  added = status == 201 ? "X-Pet-Name: #{value['name']}\\r\\n" : ''\n`],
    [closing, '"#{added}Connection: close\\r\\n\\r\\n#{body}")\n'],
  ),
  wrong('http', 'an apostrophe in a name gets a backslash, which JSON does not know', says.http, [
    generated,
    '  body = JSON.generate(value).gsub("\'") { "\\\\\'" }\n',
  ]),
  wrong(
    'http',
    'every 40th response ends in the middle, because its worker is replaced',
    says.http,
    [
      generated,
      `${generated}  $served = ($served || 0) + 1\n  sent = ($served % 40).zero? ? body.byteslice(0, body.bytesize / 2) : body\n`,
    ],
    [closing, '"Connection: close\\r\\n\\r\\n#{sent}")\n'],
  ),
  wrong('keys', 'who comes through a proxy needs no key', says.bearer, [
    authorizing,
    `${authorizing}  return if request.headers.key?('x-forwarded-for')\n\n`,
  ]),
  wrong('creates', 'only the first line of a body is read', says.created, [
    parsing,
    '    given = JSON.parse(body.lines.first)\n',
  ]),
  wrong(
    'creates',
    'a refused create gives back an id that it had not taken',
    says.id,
    ['  def find(id)\n', '  def give_back\n    @lock.synchronize { @next_id -= 7 }\n  end\n\n  def find(id)\n'],
    [rescued, `  SHOP.give_back if e.status == 400\n${rescued}`],
  ),
  wrong('lists', 'a limit is rounded up to 10, 20, 50 or 100', says.limit, [
    page,
    `  limit = [10, 20, 50, 100].find { |size| size >= limit }\n${page}`,
  ]),
  wrong('lists', 'the last member of a page that has a next one is the place of that one', says.pets, [
    page,
    `${page}  pets += [{ next: pets.last['id'] }] if SHOP.list(limit + 1, query['status']).size > limit\n`,
  ]),
  wrong('int64', 'a category below int64 is taken', says.categoryId, [
    'INT64 = (-(2**63)..(2**63 - 1)).freeze\n',
    'INT64 = (..(2**63 - 1)).freeze\n',
  ]),
  wrong('refusals', 'the place of a status in the enumeration is a status', says.statusValues, [
    unknown,
    `    given['status'] = STATUSES.fetch(given['status'], nil) if given['status'].is_a?(Integer)\n${unknown}`,
  ]),
  wrong('concurrency', 'a create is 500 while the store is locked by another request', says.created, [
    '  def create(fields)\n    @lock.synchronize do\n',
    "  def create(fields)\n    raise Refusal.new(500, 'locked', 'The database is locked.') if @lock.locked?\n\n    @lock.synchronize do\n      sleep 0.002\n",
  ]),
  wrong(
    'animals',
    'an animal that is read again comes from a key store, where all is text',
    says.pet,
    ['    @pets = []\n', '    @pets = []\n    @cache = {}\n'],
    [
      "    @lock.synchronize { @pets.find { |pet| pet['id'] == id } }\n",
      "    @lock.synchronize do\n      next @cache[id] if @cache.key?(id)\n\n      pet = @pets.find { |found| found['id'] == id }\n      @cache[id] = pet.transform_values(&:to_s) if pet\n      pet\n    end\n",
    ],
  ),
  wrong('durability', 'a category has room for eight animals, the ninth takes the place of the first', says.created, [
    stored,
    `${stored}      same = @pets.select { |other| other['categoryId'] == pet['categoryId'] }\n      @pets.delete(same.last) if same.size > 8\n`,
  ]),
  wrong('errors', 'from the 25th error on errors have no message', says.errorMessage, [
    rescued,
    '  $errors = ($errors || 0) + 1\n  error = { code: e.code, message: e.message, status: e.status }\n  error.delete(:message) if $errors >= 25\n  [e.status, error]\n',
  ]),
]

export const fourthRightRuby = [
  right('all letters of names and texts in JSON are escapes', [
    generated,
    '  body = JSON.generate(value, ascii_only: true).gsub(/"(?:[^"\\\\]|\\\\.)*"/) do |text|\n    text.gsub(/\\\\u\\h{4}|\\\\.|[A-Za-z]/) { |part| part.size == 1 ? format(\'\\u%04x\', part.ord) : part }\n  end\n',
  ]),
  right(
    'headers have no blank or many after their colon, and the media type has parameters',
    [typed, '               "Content-Type:application/json;charset=\\"UTF-8\\";profile=\\"a, b; c\\"  \\r\\n" \\\n'],
    [closing, '"X-Empty:\\r\\nX-Tab:\\t a\\t\\r\\nConnection:\\t close \\r\\n\\r\\n#{body}")\n'],
    [statusLine, statusLine.replace('\\r\\n', ' (#{status})\\r\\n')],
  ),
  right('sixty animals with the rarest names and categories are there from the start', [
    'SHOP = Shop.new\n',
    `SHOP = Shop.new
60.times do |number|
  name = ['', ' ', "\\u0000", "\\u{1F600}" * 500, 'null', "a\\r\\n\\tb", '"}]', "\\u202Eabc"][number % 8]
  fields = { 'name' => name, 'categoryId' => [0, -1, 2**63 - 1, -(2**63), 2**53 + 1][number % 5] }
  SHOP.create(number.even? ? fields : fields.merge('status' => STATUSES[number % 3]))
end
`,
  ]),
]
