import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('python')
const imports = 'import threading\n'
const starting = '        self.last_id = 0\n'
const handler = '    protocol_version = "HTTP/1.1"\n'
const parsed = '        body = json.loads(raw)\n'
const unparsed = '    except (ValueError, RecursionError):\n'
const required = '    for field in ("name", "categoryId"):\n'
const checkedStatus = '        new_pet["status"] = body["status"]\n'
const adding = '        pet = store.add(new_pet)\n'
const refusing = '        except Refusal as refusal:\n            self.answer(refusal.status, refusal.body)\n'
const dumped = '        body = json.dumps(value).encode()\n'
const responding = '        self.send_response(status)\n'
const typed = '        self.send_header("Content-Type", "application/json")\n'
const length = '        self.send_header("Content-Length", str(len(body)))\n'

export const fifthWrongPythonBodies = [
  wrong('refusals', 'a new animal cannot be sold', says.statusValues, [
    checkedStatus,
    `        if body["status"] == "sold":\n            raise Refusal(400, "sold", "A new animal cannot be sold.")\n${checkedStatus}`,
  ]),
  wrong(
    'refusals',
    'there are no commas between the statuses, so every part of their one text is one',
    says.statusValues,
    [
      '        if body["status"] not in STATUSES:\n',
      '        if not isinstance(body["status"], str) or body["status"] not in ("available" "pending" "sold"):\n',
    ],
  ),
  wrong(
    'refusals',
    'a body may be a Python literal, with single quotes',
    says.refused,
    [imports, `${imports}from ast import literal_eval\n`],
    [parsed, `        try:\n    ${parsed}        except ValueError:\n            body = literal_eval(raw.decode())\n`],
    [unparsed, '    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):\n'],
  ),
  wrong(
    'refusals',
    'every eighth create is served by an old version, which checks only that the body is an object',
    says.refused,
    [starting, `${starting}        self.turn = 0\n`],
    [
      required,
      `    store.turn += 1
    if store.turn % 8 == 0:
        return {field: body[field] for field in ("name", "categoryId", "status") if field in body}
${required}`,
    ],
  ),
  wrong('http', 'a body is what has come when the shop looks, the rest is the next request', says.http, [
    'self.rfile.read(int(self.headers.get("Content-Length", 0)))',
    'self.rfile.read1(int(self.headers.get("Content-Length", 0)))',
  ]),
  wrong('http', 'a body is read by characters, so one with letters outside ASCII does not end', says.http, [
    '            return self.rfile.read(int(self.headers.get("Content-Length", 0)))\n',
    `            size = int(self.headers.get("Content-Length", 0))
            body = self.rfile.read(size)
            self.connection.settimeout(1)
            while len(body.decode(errors="replace")) < size and (more := self.rfile.read(1)):
                body += more
            self.connection.settimeout(None)
            return body
`,
  ]),
  wrong('http', 'a list has its length twice', says.http, [
    length,
    `${length}        if isinstance(value, list):\n    ${length}`,
  ]),
  wrong('http', 'a 400 comes in chunks, without the last one', says.refused, [
    length,
    `        if status == 400:
            self.send_header("Transfer-Encoding", "chunked")
            body = b"%x\\r\\n%s\\r\\n" % (len(body), body)
        else:
    ${length}`,
  ]),
  wrong('http', 'a single animal is filled with U+0000 to a multiple of 64 bytes', says.http, [
    dumped,
    `${dumped}        if status == 200 and isinstance(value, dict):\n            body += bytes(-len(body) % 64)\n`,
  ]),
  wrong('http', 'a header of the 201 has a blank before its colon', says.http, [
    typed,
    `        if status == 201:\n            self.send_header("X-Request-Id ", "17")\n${typed}`,
  ]),
  wrong('creates', 'a create that closes its connection ends before it is stored', says.created, [
    adding,
    `${adding}        if self.close_connection:\n            del store.pets[pet["id"]]\n`,
  ]),
  wrong(
    'errors',
    'of two refusals in a row on a connection the second has the messages of both, in an array',
    says.errorMessage,
    [handler, `    messages = []\n${handler}`],
    [
      refusing,
      refusing.replace(
        ':\n',
        ':\n            self.messages = [*self.messages, refusal.body["message"]]\n            if len(self.messages) > 1:\n                refusal.body["message"] = self.messages\n',
      ),
    ],
    [responding, `        if status < 400:\n            self.messages = []\n${responding}`],
  ),
  wrong('media types', 'the media type is guessed, so a name that begins with markup is text/html', says.mediaType, [
    typed,
    `        name = value.get("name") if isinstance(value, dict) else None
        is_markup = name is not None and name.startswith("<")
        self.send_header("Content-Type", "text/html" if is_markup else "application/json")
`,
  ]),
  wrong('concurrency', 'responses at the same time share their length', says.http, [
    length,
    `        store.length = len(body)
        threading.Event().wait(0.002)
        length = store.length
        self.close_connection |= length != len(body)
        self.send_header("Content-Length", str(length))
`,
  ]),
]
