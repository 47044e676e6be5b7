import { rightIn } from '../shop.ts'

const right = rightIn('python')
const imports = 'import os\n'
const notAnObject = '        raise Refusal(400, "not_an_object", "The body is not an object.")\n'
const category = '    category = body["categoryId"]\n'
const reading = '            self.raw_body = self.read_body()\n            self.check_key()\n'
const made = '            pet = {"id": self.last_id, **new_pet}\n'
const errorBody = '        self.body = {"code": code, "message": message, "status": status}\n'
const dumped = '        body = json.dumps(value).encode()\n'
const typed = '        self.send_header("Content-Type", "application/json")\n'
const noDigits = '        if not (digits.isascii() and digits.isdecimal()):\n'

export const sixthRightPython = [
  right('a body with a member that is not in the contract is refused', [
    notAnObject,
    `${notAnObject}    if body.keys() - {"name", "categoryId", "status"}:\n        raise Refusal(400, "unknown_member", "There is a member too many.")\n`,
  ]),
  right('a name has 1 to 500 characters, and one that is not a space', [
    category,
    `    if not name.strip() or len(name) > 500:\n        raise Refusal(400, "bad_name", "name has 1 to 500 characters.")\n${category}`,
  ]),
  right('JSON is indented and sorted and ends with a line break', [
    dumped,
    '        body = json.dumps(value, indent=4, sort_keys=True, separators=(" ,", " : ")).encode() + b"\\r\\n"\n',
  ]),
  right(
    'animals have tags, a photo that is null and links, errors have details',
    [
      made,
      '            links = {"self": f"/v1/pets/{self.last_id}"}\n            pet = {"photo": None, "tags": [], **new_pet, "links": links, "id": self.last_id}\n',
    ],
    [errorBody, errorBody.replace('{"code"', '{"details": [], "retryable": False, "code"')],
  ),
  right(
    'each response takes up to 0.2 s, and a refused key 0.1 s more',
    [imports, `${imports}import random\nimport time\n`],
    [dumped, `        time.sleep(random.uniform(0, 0.2) + (0.1 if status == 401 else 0))\n${dumped}`],
  ),
  right('HTTP/1.0, a connection for each request', [
    '    protocol_version = "HTTP/1.1"\n',
    '    protocol_version = "HTTP/1.0"\n',
  ]),
  right('responses have the headers of a gateway, and 401 a challenge', [
    typed,
    `        if status == 401:
            self.send_header("WWW-Authenticate", 'Bearer realm="pets", error="invalid_token"')
        for name in ("X-RateLimit-Limit: 1000", "Vary: Authorization, Accept", "Cache-Control: private, max-age=0", "Set-Cookie: a=b; HttpOnly", "Set-Cookie: c=d", "Link: </v1/pets>; rel=collection"):
            self.send_header(*name.split(": ", 1))
${typed}`,
  ]),
  right('a body that does not say application/json is 415', [
    reading,
    `${reading}            if self.command == "POST" and self.headers.get_content_type() != "application/json":
                raise Refusal(415, "media_type", "Send application/json.")
`,
  ]),
  right('an id that is no int64 is 422', [
    noDigits,
    `        if not (digits.isascii() and digits.isdecimal() and -(2**63) <= int(text) < 2**63):
            raise Refusal(422, "bad_id", "An id is an int64.")
${noDigits}`,
  ]),
]
