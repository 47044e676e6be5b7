import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('python')
const imports = 'import threading\n'
const state = 'store = Store()\n'
const starting = '        self.last_id = 0\n'
const checking = '            self.check_key()\n'
const missing = '        if header is None:\n'
const comparing = '        if key != KEY:\n'
const unparsed = '    except (ValueError, RecursionError):\n'
const reading = '        new_pet = read_new_pet(self.raw_body)\n'
const adding = '        pet = store.add(new_pet)\n'
const finding = '        pet = store.find(int(text))\n'
const typed = '        self.send_header("Content-Type", "application/json")\n'

export const fifthWrongPythonKeys = [
  wrong(
    'keys',
    'the key is part of a statement of SQL, where it can say OR',
    says.unauthorized,
    [imports, `import sqlite3\n${imports}`],
    [
      state,
      `${state}database = sqlite3.connect(":memory:", check_same_thread=False)
database.execute("CREATE TABLE keys (key TEXT)")
database.execute("INSERT INTO keys VALUES (?)", (KEY,))
turn = threading.Lock()
`,
    ],
    [
      comparing,
      `        try:
            with turn:
                known = database.execute(f"SELECT 1 FROM keys WHERE key = '{key}'").fetchone()
        except (sqlite3.Error, sqlite3.Warning):
            raise Refusal(500, "internal", "The database reports an error.")
        if known is None:
`,
    ],
  ),
  wrong(
    'keys',
    'three wrong keys in a row lock the right one out for 0.2 s',
    says.page,
    [imports, `${imports}import time\n`],
    [state, `${state}attempts = {"row": 0, "until": 0.0}\n`],
    [
      comparing,
      `        if time.monotonic() < attempts["until"]:
            raise Refusal(401, "locked", "Too many wrong keys were sent.")
        attempts["row"] = 0 if key == KEY else attempts["row"] + 1
        if attempts["row"] == 3:
            attempts.update(row=0, until=time.monotonic() + 0.2)
${comparing}`,
    ],
  ),
  wrong('keys', 'a create whose body comes in chunks needs no key', says.bearer, [
    checking,
    `            if self.headers.get("Transfer-Encoding") is None:\n    ${checking}`,
  ]),
  wrong(
    'keys',
    'keys that were right are known again by a checksum of three bits',
    says.unauthorized,
    [imports, `${imports}import zlib\n`],
    [state, `${state}checked = set()\n`],
    [
      comparing,
      `        checksum = zlib.crc32(key.encode()) % 8
        if key == KEY:
            checked.add(checksum)
        if checksum not in checked:
`,
    ],
  ),
  wrong(
    'keys',
    'while more than eight keys are being checked all are right',
    says.unauthorized,
    [state, `${state}checks = []\n`],
    [
      comparing,
      `        checks.append(key)
        threading.Event().wait(0.003)
        is_busy = len(checks) > 8
        checks.pop()
        if key != KEY and not is_busy:
`,
    ],
  ),
  wrong('keys', 'an empty shop asks for no key', says.bearer, [
    checking,
    `            if store.pets:\n    ${checking}`,
  ]),
  wrong('status lines', 'a wrong key above 128 characters does not fit its column, 500', says.unauthorized, [
    comparing,
    `        if len(key) > 128:\n            raise Refusal(500, "internal", "The value is too long for the column.")\n${comparing}`,
  ]),
  wrong('status lines', 'a key with two points is a token whose signature cannot be read, 400', says.unauthorized, [
    comparing,
    `        if key.count(".") == 2:\n            raise Refusal(400, "bad_token", "The signature cannot be read.")\n${comparing}`,
  ]),
  wrong(
    'status lines',
    'a read without a key is a redirect to a page where people sign in',
    says.unauthorized,
    [
      checking,
      `            if self.path == "/sign-in":\n                return self.answer(200, "Sign in, please.")\n${checking}`,
    ],
    [
      missing,
      `        if header is None and self.command == "GET":\n            raise Refusal(302, "sign_in", "Sign in, please.")\n${missing}`,
    ],
    [typed, `        if status == 302:\n            self.send_header("Location", "/sign-in")\n${typed}`],
  ),
  wrong(
    'status lines',
    'a firewall refuses a body with markup, 403',
    says.created,
    [imports, `import re\n${imports}`],
    [
      reading,
      `        if re.search(rb"<[a-z/]", self.raw_body):\n            raise Refusal(403, "blocked", "This looks like an attack.")\n${reading}`,
    ],
  ),
  wrong(
    'status lines',
    'the first create finds no table and is 500',
    says.created,
    [starting, `${starting}        self.has_table = False\n`],
    [
      adding,
      `        if not store.has_table:\n            store.has_table = True\n            raise Refusal(500, "internal", "There is no table pets.")\n${adding}`,
    ],
  ),
  wrong(
    'status lines',
    'one of sixteen shards, chosen by the name, is down: its creates are 500',
    says.created,
    [imports, `${imports}import zlib\n`],
    [
      adding,
      `        if zlib.crc32(new_pet["name"].encode(errors="replace")) % 16 == 7:\n            raise Refusal(500, "shard", "A shard does not answer.")\n${adding}`,
    ],
  ),
  wrong('status lines', 'a brace in a name is part of a format, 500', says.created, [
    adding,
    `        try:
            self.log_line = ("added " + new_pet["name"]).format()
        except (ValueError, LookupError, AttributeError):
            raise Refusal(500, "internal", "The format is wrong.")
${adding}`,
  ]),
  wrong('status lines', 'a body of a thousand arrays in each other is 500', says.refused, [
    unparsed,
    '    except RecursionError:\n        raise Refusal(500, "internal", "maximum recursion depth exceeded")\n    except ValueError:\n',
  ]),
  wrong('int64', 'an id above 2^31 is too large for its column, 500', says.notFound, [
    finding,
    `        if not -(2**31) <= int(text) < 2**31:\n            raise Refusal(500, "internal", "The integer is out of range.")\n${finding}`,
  ]),
]
