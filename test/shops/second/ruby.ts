import { says } from '../contract.ts'
import { rightIn, wrongIn } from '../shop.ts'

const wrong = wrongIn('ruby')
const right = rightIn('ruby')
const checking = "  raise Refusal.new(401, 'unauthorized', 'The API key is not valid.') unless key == KEY"
const refused = '  [e.status, { code: e.code, message: e.message, status: e.status }]\n'
const written = '  body = JSON.generate(value)\n'
const requested = '  [200, pet]\n'
const listed = '  [200, pets]\n'

export const secondWrongRuby = [
  wrong('keys', 'punctuation in the key does not count', says.unauthorized, [
    'unless key == KEY',
    "unless key.to_s.delete('^A-Za-z0-9') == KEY.delete('^A-Za-z0-9')",
  ]),
  wrong('keys', 'the key is a pattern', says.unauthorized, [
    checking,
    `${checking} || (key && File.fnmatch?(key, KEY))`,
  ]),
  wrong('keys', 'a list of keys with the key in it is a key', says.unauthorized, [
    'unless key == KEY',
    "unless (key || '').split(',').include?(KEY)",
  ]),
  wrong('errors', 'the 404 of a negative id is nested', says.errors, [
    refused,
    "  error = { code: e.code, message: e.message, status: e.status }\n  [e.status, e.status == 404 && request.path.include?('/-') ? { error: error } : error]\n",
  ]),
  wrong('errors', 'the code of a category that is a text is a number', says.errorCode, [
    refused,
    "  [e.status, { code: e.message == 'categoryId is an integer.' && request.body.include?('\"categoryId\":\"') ? 40 : e.code, message: e.message, status: e.status }]\n",
  ]),
  wrong('errors', 'the 404 of an id above 2^53 has no message', says.errorMessage, [
    refused,
    "  [e.status, { code: e.code, message: e.message, status: e.status }.except(*(e.status == 404 && request.path.delete('^0-9').to_i > 2**53 ? [:message] : []))]\n",
  ]),
  wrong('media types', 'a list of more than 20 is application/json-seq', says.mediaType, [
    '"Content-Type: application/json; charset=utf-8\\r\\n"',
    '"Content-Type: application/json#{\'-seq\' if value.is_a?(Array) && value.size > 20}; charset=utf-8\\r\\n"',
  ]),
  wrong('int64', 'a list with a status rounds the category like a double', says.categoryId, [
    listed,
    "  pets = pets.map { |pet| pet.merge('categoryId' => pet['categoryId'].to_f.to_i) } if query['status']\n" + listed,
  ]),
  wrong('refusals', 'a body that begins with white space is refused', says.created, [
    "  raise Refusal.new(400, 'invalid', 'There is no body.') if body.strip.empty?",
    "  raise Refusal.new(400, 'invalid', 'There is no body.') unless body.start_with?('{', '[', '\"')",
  ]),
  wrong('names', 'a tab in a name is written as it is', says.http, [
    written,
    '  body = JSON.generate(value).gsub(\'\\\\t\', "\\t")\n',
  ]),
  wrong('names', 'a name has lower case letters in the 201 when it has only capitals', says.name, [
    '  [201, pet]',
    "  [201, pet['name'] =~ /\\A[A-Z]+\\z/ ? pet.merge('name' => pet['name'].capitalize) : pet]",
  ]),
  wrong(
    'durability',
    'an animal that was read by id three times is gone',
    says.requested,
    [
      requested,
      '  pet.instance_variable_set(:@reads, pet.instance_variable_get(:@reads).to_i + 1)\n  SHOP.forget(pet) if pet.instance_variable_get(:@reads) == 3\n' +
        requested,
    ],
    [
      '  def find(id)\n',
      '  def forget(pet)\n    @lock.synchronize { @pets.delete_if { |other| other.equal?(pet) } }\n  end\n\n  def find(id)\n',
    ],
  ),
  wrong('http', 'a response ends after 8192 bytes', says.http, [
    written,
    written.replace('\n', '.byteslice(0, 8192)\n'),
  ]),
  wrong('http', 'a body in chunks is not read', says.http, [
    "unless headers['transfer-encoding'] == 'chunked'",
    'if true',
  ]),
]

export const secondRightRuby = [
  right('members come in another order in each response', [
    written,
    '  mixed = ->(one) { one.is_a?(Hash) ? one.to_a.shuffle.to_h : one }\n' +
      written.replace('value', 'value.is_a?(Array) ? value.map(&mixed) : mixed[value]'),
  ]),
]
