import { rightIn } from '../shop.ts'

const right = rightIn('ruby')
const counting = '      @next_id += 7\n'
const made = "      pet = { 'id' => @next_id }.merge(fields)\n"
const paged = '    found.first(limit)\n'
const refused = '  [e.status, { code: e.code, message: e.message, status: e.status }]\n'
const generated = '  body = JSON.generate(value)\n'
const statusLine = '"HTTP/1.1 #{status} #{REASONS.fetch(status, \'Other\')}\\r\\n"'
const typed = '"Content-Type: application/json; charset=utf-8\\r\\n"'
const length = '"Content-Length: #{body.bytesize}\\r\\n"'
const authorizing = '  authorize(request)\n  case'
const limits = "  limit = query.key?('limit') ? query['limit'].to_i.clamp(1, 100) : 20\n"

export const sixthRightRuby = [
  right('the end of a response is the end of its connection', [length, '""']),
  right(
    'status lines without a reason, names of headers in small letters without a space',
    [statusLine, '"HTTP/1.1 #{status} \\r\\n"'],
    [typed, '"content-type:application/json\\r\\nx-empty:\\r\\n"'],
  ),
  right('a list is shuffled', [paged, '    found.shuffle.first(limit)\n']),
  right('an error has members that are null, and a list of causes', [
    refused,
    "  [e.status, { type: nil, causes: [{ field: 'name', status: 'bad' }], message: \"#{e.message} (#{e.status})\", status: e.status, code: e.code.upcase }]\n",
  ]),
  right(
    'ids begin at 0 and go down',
    [counting, '      @next_id -= 1\n'],
    ['    @next_id = 1001\n', '    @next_id = 0\n'],
  ),
  right('members of an animal are in reverse order, with a weight of 2.50 and a text of an id', [
    made,
    "      pet = fields.to_a.reverse.to_h.merge('weight' => 2.50, 'slug' => \"#{@next_id}\", 'id' => @next_id)\n",
  ]),
  right('JSON has spaces wherever they are allowed', [
    generated,
    '  body = "\\t\\r\\n #{JSON.generate(value, indent: "\\t", space: \' \', space_before: "\\t", object_nl: "\\r\\n", array_nl: "\\n\\n")}\\n "\n',
  ]),
  right('a limit that is no number is 404', [
    limits,
    `${limits}  raise Refusal.new(404, 'not_found', 'There is no such list.') unless query['limit'].to_s.match?(/\\A\\d*\\z/)\n`,
  ]),
  right('a body that is too large for this shop is 413', [
    authorizing,
    "  authorize(request)\n  raise Refusal.new(413, 'too_large', 'Send at most 256 KiB.') if request.body.bytesize > 262_144\n\n  case",
  ]),
]
