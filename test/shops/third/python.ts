import { says } from '../contract.ts'
import { rightIn, wrongIn } from '../shop.ts'

const wrong = wrongIn('python')
const right = rightIn('python')
const checking = '            self.check_key()\n'
const comparing = '        if key != KEY:\n'
const adding = '            self.pets[pet["id"]] = pet\n'
const page = '        return pets[:limit]\n'
const imports = 'import os\n'
const refusing = '        except Refusal as refusal:\n'
const failing =
  '        except TypeError:\n            self.answer(500, {"code": "internal", "message": "Internal Server Error", "status": 500})\n'

export const thirdWrongPython = [
  wrong('keys', 'any key will do after bearer in lower case', says.unauthorized, [
    comparing,
    '        if scheme == "Bearer" and key != KEY:\n',
  ]),
  wrong('keys', 'the router knows no negative ids, so they are 404 before the key is looked at', says.unauthorized, [
    checking,
    `            if self.path.startswith("/v1/pets/-"):\n                raise Refusal(404, "no_such_path", "There is nothing here.")\n${checking}`,
  ]),
  wrong('keys', 'the parameters of a list are judged before the key', says.unauthorized, [
    checking,
    `            if self.command == "GET" and self.path.startswith("/v1/pets?"):\n                read_query(urlsplit(self.path).query)\n${checking}`,
  ]),
  wrong(
    'status lines',
    'a key with a letter outside ASCII is 500',
    says.unauthorized,
    [imports, `import hmac\n${imports}`],
    [comparing, '        if not hmac.compare_digest(key, KEY):\n'],
    [refusing, failing + refusing],
  ),
  wrong(
    'status lines',
    'a status that is an array or an object is 500',
    says.refused,
    ['STATUSES = ("available", "pending", "sold")\n', 'STATUSES = {"available", "pending", "sold"}\n'],
    [refusing, failing + refusing],
  ),
  wrong(
    'status lines',
    'a list is 201 on a connection that was used for a create',
    says.page,
    ['        self.answer(201, pet)\n', '        self.success = 201\n        self.answer(self.success, pet)\n'],
    ['        self.answer(200, pets)\n', '        self.answer(self.success, pets)\n'],
    ['    protocol_version =', '    success = 200\n    protocol_version ='],
  ),
  wrong(
    'errors',
    'the first error gives its status to all that follow',
    says.errorStatus,
    ['STATUSES = ("available", "pending", "sold")\n', 'STATUSES = ("available", "pending", "sold")\nerror = {}\n'],
    [
      '        self.body = {"code": code, "message": message, "status": status}\n',
      '        error.setdefault("status", status)\n        self.body = {"code": code, "message": message, **error}\n',
    ],
  ),
  wrong(
    'refusals',
    'what begins with a status is a status',
    says.statusValues,
    [imports, `${imports}import re\n`],
    [
      '        if body["status"] not in STATUSES:\n',
      '        if not isinstance(body["status"], str) or not re.match("available|pending|sold", body["status"]):\n',
    ],
  ),
  wrong('animals', 'ids of 0 and below count from the end', says.notFound, [
    '        return self.pets.get(pet_id)\n',
    '        pets = list(self.pets.values())\n        return pets[pet_id - 1] if -len(pets) < pet_id <= len(pets) else None\n',
  ]),
  wrong(
    'int64',
    'ids begin at 2^53, and getPet reads them as doubles',
    says.petId,
    ['        self.last_id = 0\n', '        self.last_id = 2**53\n'],
    ['store.find(int(text))', 'store.find(int(float(text)))'],
  ),
  wrong('concurrency', 'each connection has a store of its own', says.created, [
    'class Store:\n',
    'class Store(threading.local):\n',
  ]),
  wrong('concurrency', 'an animal is in lists for a moment without its name and category', says.pets, [
    `${adding}        return pet\n`,
    '            self.pets[pet["id"]] = {name: pet[name] for name in pet if name in ("id", "status")}\n        threading.Event().wait(0.003)\n        self.pets[pet["id"]] = pet\n        return pet\n',
  ]),
  wrong(
    'lists',
    'animals of the last 200 ms come on top of the limit',
    says.limit,
    ['import threading\n', 'import threading\nimport time\n'],
    ['        self.last_id = 0\n', '        self.last_id = 0\n        self.since = {}\n'],
    [adding, `            self.since[pet["id"]] = time.monotonic()\n${adding}`],
    [
      page,
      '        new = [pet for pet in pets[limit:] if time.monotonic() - self.since[pet["id"]] < 0.2]\n        return pets[:limit] + new\n',
    ],
  ),
  wrong('concurrency', 'lists at the same time share their limit', says.limit, [
    '        limit, status = read_query(query)\n        pets = store.page(limit, status)\n',
    '        store.limit, status = read_query(query)\n        threading.Event().wait(0.002)\n        pets = store.page(store.limit, status)\n',
  ]),
]

export const thirdRightPython = [
  right(
    'ids are random, from 10^15 on',
    [imports, `${imports}import random\n`],
    ['            self.last_id += 1\n', '            self.last_id = random.randrange(10**15, 2 * 10**15)\n'],
  ),
  right('an unknown path is 401, with a key as well', [
    'raise Refusal(404, "no_such_path"',
    'raise Refusal(401, "no_such_path"',
  ]),
]
