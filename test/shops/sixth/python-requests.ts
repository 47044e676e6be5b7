import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('python')
const imports = 'import os\n'
const reading = '            self.raw_body = self.read_body()\n            self.check_key()\n'
const splitting = '        scheme, _, key = header.partition(" ")\n'
const compared = '        if key != KEY:\n'
const wrongKey = '            raise Refusal(401, "wrong_key", "This API key is not valid.")\n'
const header = '        header = self.headers.get("Authorization")\n'
const statuses = 'STATUSES = ("available", "pending", "sold")\n'
const notAnObject =
  '    if not isinstance(body, dict):\n        raise Refusal(400, "not_an_object", "The body is not an object.")\n'
const notJson =
  '    except (ValueError, RecursionError):\n        raise Refusal(400, "not_json", "The body is not JSON.")\n'
const notText = '    if not isinstance(name, str):\n'
const category = '    category = body["categoryId"]\n'
const inRange = '    if not -(2**63) <= category < 2**63:\n'
const badStatus = '        if body["status"] not in STATUSES:\n'
const adding = '        new_pet = read_new_pet(self.raw_body)\n        pet = store.add(new_pet)\n'
const body = '            return self.rfile.read(int(self.headers.get("Content-Length", 0)))\n'
const refusing = '            self.answer(refusal.status, refusal.body)\n'

/** What was not foreseen ends on the page of the library. */
const crashing = [refusing, `${refusing}        except Exception:\n            self.send_error(500)\n`] as const

export const sixthWrongPythonRequests = [
  wrong(
    'keys',
    'a header that is not two words is 500',
    says.unauthorized,
    [splitting, '        scheme, key = header.split()\n'],
    [...crashing],
  ),
  wrong(
    'keys',
    'hmac.compare_digest throws on a key that is not ASCII, 500',
    says.unauthorized,
    [imports, `import hmac\n${imports}`],
    [compared, '        if not hmac.compare_digest(key, KEY):\n'],
    [...crashing],
  ),
  wrong('keys', 'a token is accepted that has the key in it', says.unauthorized, [
    compared,
    '        if KEY not in key:\n',
  ]),
  wrong(
    'keys',
    'a connection that has sent the key once may leave it out',
    says.bearer,
    [header, `        if getattr(self, "user", None) is not None:\n            return\n${header}`],
    [wrongKey, `${wrongKey}        self.user = key\n`],
  ),
  wrong('keys', 'the body is validated before the key is looked at', says.unauthorized, [
    reading,
    `            self.raw_body = self.read_body()
            if self.command == "POST":
                read_new_pet(self.raw_body)
            self.check_key()
`,
  ]),
  wrong('keys', 'a request without the header is 403 "Not authenticated"', says.unauthorized, [
    'Refusal(401, "no_key", "Send an API key.")',
    'Refusal(403, "forbidden", "Not authenticated")',
  ]),
  wrong('keys', 'a wrong key is told that nothing was found', says.unauthorized, [
    'Refusal(401, "wrong_key", "This API key is not valid.")',
    'Refusal(404, "not_found", "Not Found")',
  ]),
  wrong('http', 'the body of a request whose key is refused is taken for the next request', says.http, [
    reading,
    '            self.check_key()\n            self.raw_body = self.read_body()\n',
  ]),
  wrong('http', 'read1 takes what has arrived of a body', says.created, [
    body,
    '            return self.rfile.read1(int(self.headers.get("Content-Length", 0)))\n',
  ]),
  wrong('refusals', 'digits in a text are an integer, as in a lax model', says.refused, [
    category,
    `${category}    if isinstance(category, str) and category.lstrip("-").isdecimal():\n        category = int(category)\n`,
  ]),
  wrong('refusals', 'a number or true is a name, as str() takes all', says.refused, [
    notText,
    `    if isinstance(name, (int, float)):\n        name = str(name)\n${notText}`,
  ]),
  wrong('refusals', 'true is 1, since bool is an int', says.refused, [' or isinstance(category, bool):\n', ':\n']),
  wrong(
    'refusals',
    'a status that is a list or an object cannot be hashed, 500',
    says.refused,
    [statuses, 'STATUSES = {"available", "pending", "sold"}\n'],
    [...crashing],
  ),
  wrong(
    'refusals',
    'the statuses are one text, and a part of it is a status',
    says.refused,
    [statuses, 'STATUSES = "available, pending, sold"\n'],
    [...crashing],
  ),
  wrong('refusals', 'a body that is null or a number is 500', says.refused, [notAnObject, ''], [...crashing]),
  wrong(
    'refusals',
    'a body without name or categoryId is a KeyError, 500 with an Error',
    says.refused,
    ['        if field not in body:\n', '        if not body:\n'],
    [
      refusing,
      `${refusing}        except KeyError as error:
            self.answer(500, {"code": "internal", "message": f"KeyError: {error}", "status": 500})
`,
    ],
  ),
  wrong('refusals', 'an animal is stored before its status is judged', says.statusValues, [
    badStatus,
    `${badStatus}            store.add({**new_pet, "status": body["status"]})\n`,
  ]),
  wrong('refusals', 'values that are not valid are 422, a missing member is 400', says.refused, [
    '        self.status = status\n',
    '        status = 422 if code in ("bad_name", "bad_category", "category_range", "bad_status") else status\n        self.status = status\n',
  ]),
  wrong(
    'int64',
    'a categoryId beyond 31 bits is out of range for its column, 500',
    says.categoryId,
    [
      inRange,
      `    if not -(2**31) <= category < 2**31:\n        raise OverflowError("integer out of range")\n${inRange}`,
    ],
    [...crashing],
  ),
  wrong('int64', 'a categoryId beyond 53 bits is returned as a text', says.categoryId, [
    '    new_pet = {"name": name, "categoryId": category}\n',
    '    new_pet = {"name": name, "categoryId": category if abs(category) < 2**53 else str(category)}\n',
  ]),
  wrong('creates', 'a name can be taken, 409', says.created, [
    adding,
    `        new_pet = read_new_pet(self.raw_body)
        if any(pet["name"] == new_pet["name"] for pet in store.page(None, None)):
            raise Refusal(409, "name_taken", "An animal has this name.")
        pet = store.add(new_pet)
`,
  ]),
  wrong(
    'creates',
    'a create is sent on to the address with a slash, 301',
    says.created,
    [
      '            if self.command == "POST":\n',
      `            if self.command == "POST":
                self.send_response(301)
                self.send_header("Location", "/v1/pets/")
                self.send_header("Content-Length", "0")
                return self.end_headers()
            if self.command == "PUT":
`,
    ],
    [
      '            if self.command != "GET":\n',
      '            if self.command == "POST" and address.path == "/v1/pets/":\n                return self.create_pet()\n            if self.command != "GET":\n',
    ],
  ),
  wrong(
    'concurrency',
    'the animal that is being added is a global',
    says.created,
    [imports, `${imports}import time\n`],
    [
      adding,
      `        global current
        current = read_new_pet(self.raw_body)
        time.sleep(0.002)  # The category is looked up.
        pet = store.add(current)
`,
    ],
  ),
  wrong(
    'names',
    'a name that is not ASCII cannot be written to the log, 500',
    says.created,
    [
      adding,
      `        new_pet = read_new_pet(self.raw_body)\n        new_pet["name"].encode("ascii")\n        pet = store.add(new_pet)\n`,
    ],
    [...crashing],
  ),
  wrong(
    'errors',
    'a body that is not JSON ends on the page of the library',
    says.errors,
    [notJson, '    except RecursionError:\n        raise ValueError("nested")\n'],
    [refusing, `${refusing}        except ValueError as error:\n            self.send_error(400, str(error)[:40])\n`],
  ),
]
