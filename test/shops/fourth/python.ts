import { says } from '../contract.ts'
import { rightIn, wrongIn } from '../shop.ts'

const wrong = wrongIn('python')
const right = rightIn('python')
const imports = 'import threading\n'
const handler = '    protocol_version = "HTTP/1.1"\n'
const checking = '            self.check_key()\n'
const refusing = '        except Refusal as refusal:\n            self.answer(refusal.status, refusal.body)\n'
const reading = '            return self.rfile.read(int(self.headers.get("Content-Length", 0)))\n'
const adding = '        pet = store.add(new_pet)\n'
const parsed = '        body = json.loads(raw)\n'
const required = '    for field in ("name", "categoryId"):\n'
const listed = '        self.answer(200, pets)\n'
const typed = '        self.send_header("Content-Type", "application/json")\n'
const length = '        self.send_header("Content-Length", str(len(body)))\n'
const starting = '        self.last_id = 0\n'

export const fourthWrongPython = [
  wrong(
    'http',
    'a body that is shorter than the one before on its connection keeps the end of that one',
    says.http,
    [handler, `    buffer = b""\n${handler}`],
    [
      reading,
      '            size = int(self.headers.get("Content-Length", 0))\n            if self.command == "POST":\n                self.buffer = self.rfile.read(size) + self.buffer[size:]\n                return self.buffer\n            return self.rfile.read(size)\n',
    ],
  ),
  wrong('http', 'of a body in chunks only the first chunk is taken', says.http, [
    '            body += self.rfile.read(size)\n',
    '            chunk = self.rfile.read(size)\n            body = body or chunk\n',
  ]),
  wrong(
    'http',
    'a 404 stays in the buffer of its connection, so the next request gets it again',
    says.http,
    [handler, `    left = None\n${handler}`],
    [refusing, `${refusing}            self.left = refusal if refusal.status == 404 else None\n`],
    [
      '    def answer(self, status, value):\n',
      '    def answer(self, status, value):\n        left, self.left = self.left, None\n        if left is not None:\n            self.answer(left.status, left.body)\n',
    ],
  ),
  wrong('http', 'a response to Connection: close has no length, and the connection stays open', says.http, [
    length,
    '        closing, self.close_connection = self.close_connection, False\n        if not closing:\n            self.send_header("Content-Length", str(len(body)))\n',
  ]),
  wrong('http', 'a 400 is written in UTF-16', says.http, [
    '        body = json.dumps(value).encode()\n',
    '        body = json.dumps(value).encode("utf-16" if status == 400 else "utf-8")\n',
  ]),
  wrong('media types', 'a 404 has two media types, and the first is text/html', says.mediaType, [
    typed,
    `        if status == 404:\n            self.send_header("Content-Type", "text/html; charset=utf-8")\n${typed}`,
  ]),
  wrong(
    'media types',
    'a list that is as the last of its address comes from a cache that keeps no headers',
    says.mediaType,
    [starting, `${starting}        self.cache = {}\n`],
    [
      listed,
      '        cached = store.cache.get(query) == pets\n        store.cache[query] = pets\n        self.answer(200, pets, cached)\n',
    ],
    ['    def answer(self, status, value):\n', '    def answer(self, status, value, cached=False):\n'],
    [typed, `        if not cached:\n    ${typed}`],
  ),
  wrong(
    'status lines',
    'after a refused create all other requests on its connection are 500',
    says.page,
    [handler, `    is_aborted = False\n${handler}`],
    [
      checking,
      `${checking}            if self.is_aborted:\n                raise Refusal(500, "aborted", "The current transaction is aborted.")\n`,
    ],
    [refusing, `${refusing}            self.is_aborted |= refusal.status == 400 and self.command == "POST"\n`],
  ),
  wrong(
    'durability',
    'the first request after a third of a second of silence is 500',
    says.page,
    [imports, `${imports}import time\n`],
    [starting, `${starting}        self.used = time.monotonic()\n`],
    [
      checking,
      `${checking}            silence, store.used = time.monotonic() - store.used, time.monotonic()\n            if silence > 0.33:\n                raise Refusal(500, "gone_away", "The server has gone away.")\n`,
    ],
  ),
  wrong(
    'animals',
    'ids begin at 251 and are compared by identity, so those above 256 are not found',
    says.requested,
    [starting, '        self.last_id = 250\n'],
    [
      '        return self.pets.get(pet_id)\n',
      '        return next((pet for pet in list(self.pets.values()) if pet["id"] is pet_id), None)\n',
    ],
  ),
  wrong(
    'lists',
    'the categories of a list are loaded 32 at a time, and each time given to the first animals',
    says.categoryId,
    [
      listed,
      `        pets = [{**pet, "categoryId": pets[place % 32]["categoryId"]} for place, pet in enumerate(pets)]\n${listed}`,
    ],
  ),
  wrong(
    'refusals',
    'the outcome of a check is kept for bodies with the same members',
    says.refused,
    ['def read_new_pet(raw):\n', 'checked = set()\n\n\ndef read_new_pet(raw):\n'],
    [
      required,
      `    if tuple(body) in checked:\n        return {field: body[field] for field in ("name", "categoryId", "status") if field in body}\n${required}`,
    ],
    ['    return new_pet\n', '    checked.add(tuple(body))\n    return new_pet\n'],
  ),
  wrong('refusals', 'a text that holds the JSON of an animal is read once more', says.refused, [
    parsed,
    `${parsed}        if isinstance(body, str):\n            body = json.loads(body)\n`,
  ]),
  wrong(
    'concurrency',
    'requests that are refused at the same time share their Error',
    says.errors,
    ['class Refusal(', 'error = {}\n\n\nclass Refusal('],
    [
      '        self.body = {"code": code, "message": message, "status": status}\n',
      '        error.update(code=code, message=message, status=status)\n        self.body = error\n',
    ],
    [refusing, refusing.replace(':\n', ':\n            threading.Event().wait(0.003)\n')],
  ),
  wrong(
    'concurrency',
    'a connection knows the animals that were there when it first read one, and its own',
    says.requested,
    [handler, `    snapshot = None\n${handler}`],
    [adding, `${adding}        if self.snapshot is not None:\n            self.snapshot[pet["id"]] = pet\n`],
    [
      '        pet = store.find(int(text))\n',
      '        if self.snapshot is None:\n            self.snapshot = dict(store.pets)\n        pet = self.snapshot.get(int(text))\n',
    ],
  ),
  wrong(
    'concurrency',
    'a create takes two of eight connections to the database, so eight creates wait for each other',
    says.created,
    [
      starting,
      `${starting}        self.pool = threading.Semaphore(8)\n\n    def connect(self, held=0):\n        if not self.pool.acquire(timeout=1):\n            self.pool.release(held) if held else None\n            raise Refusal(500, "pool", "No connection to the database is free.")\n`,
    ],
    [
      adding,
      `        store.connect()\n        threading.Event().wait(0.005)\n        store.connect(1)\n${adding}        store.pool.release(2)\n`,
    ],
  ),
]

export const fourthRightPython = [
  right(
    'ids are random in all of int64',
    [imports, `import random\n${imports}`],
    ['            self.last_id += 1\n', '            self.last_id = random.randrange(-(2**63), 2**63)\n'],
  ),
  right(
    'requests wait for each other',
    ['store = Store()\n', 'store = Store()\nturn = threading.Lock()\n'],
    [
      '            self.route(urlsplit(self.path))\n',
      '            with turn:\n                threading.Event().wait(0.01)\n                self.route(urlsplit(self.path))\n',
    ],
  ),
  right(
    'another client changes the status of 40 animals that are there from the start',
    [imports, `import random\n${imports}`],
    [
      'store = Store()\n',
      `store = Store()
others = [store.add({"name": f"Other {number}", "categoryId": number, "status": "sold"}) for number in range(40)]


def work():
    while True:
        threading.Event().wait(0.01)
        pet = random.choice(others)
        store.pets[pet["id"]] = {**pet, "status": random.choice(STATUSES)}


threading.Thread(target=work, daemon=True).start()
`,
    ],
  ),
]
