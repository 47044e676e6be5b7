import { says } from '../contract.ts'
import { rightIn, wrongIn } from '../shop.ts'

const wrong = wrongIn('python')
const right = rightIn('python')
const checking = '            self.check_key()\n'
const page = '        return pets[:limit]\n'
const listed = '        self.answer(200, pets)\n'
const newPet = '        new_pet = read_new_pet(self.raw_body)\n'
const found = '        pet = store.find(int(text))\n'
const handler = 'store = Store()\n'

export const secondWrongPython = [
  wrong(
    'keys',
    'a list that was just read comes from a cache before the key is looked at',
    says.unauthorized,
    [checking, checking.replace('self', 'if not self.from_cache():\n                self')],
    [
      '    def read_body(self):\n',
      '    def from_cache(self):\n        return self.command == "GET" and self.path in cache\n\n    def read_body(self):\n',
    ],
    [handler, `${handler}cache = {}\n`],
    [
      listed,
      `        cache[self.path] = pets\n        threading.Timer(1, lambda: cache.pop(self.path, None)).start()\n${listed}`,
    ],
  ),
  wrong(
    'keys',
    'for half a second after a create no key is asked',
    says.unauthorized,
    [checking, '            if time.monotonic() > trusted["until"]:\n                self.check_key()\n'],
    ['import threading\n', 'import threading\nimport time\n'],
    [handler, `${handler}trusted = {"until": 0}\n`],
    [
      '        self.answer(201, pet)\n',
      '        trusted["until"] = time.monotonic() + 0.5\n        self.answer(201, pet)\n',
    ],
  ),
  wrong(
    'keys',
    'the request after a wrong key is refused too',
    says.unauthorized,
    [handler, `${handler}blocked = []\n`],
    [
      '        if key != KEY:\n',
      '        if key == KEY and blocked:\n            blocked.clear()\n            raise Refusal(401, "wrong_key", "Try later.")\n        if key != KEY:\n            blocked.append(key)\n',
    ],
  ),
  wrong('int64', 'a negative category in a list is rounded like a double', says.categoryId, [
    listed,
    listed.replace(
      'pets)',
      '[{**pet, "categoryId": int(float(pet["categoryId"]))} if pet["categoryId"] < 0 else pet for pet in pets])',
    ),
  ]),
  wrong('refusals', 'a category of 1e999 ends the connection', says.refused, [
    '    if not isinstance(category, int) or',
    '    if isinstance(category, float) and int(category) == category:\n        raise Refusal(400, "bad_category", "categoryId is written as a float.")\n    if not isinstance(category, int) or',
  ]),
  wrong('refusals', 'a name that is null is the text None', says.refused, [
    '    name = body["name"]\n',
    '    name = "None" if body["name"] is None else body["name"]\n',
  ]),
  wrong(
    'creates',
    'the create after a refused one gets the name of the refused one',
    says.name,
    [handler, `${handler}left = {}\n`],
    [newPet, `${newPet}        new_pet = {**new_pet, **left}\n        left.clear()\n`],
    [
      '        if body["status"] not in STATUSES:\n',
      '        if body["status"] not in STATUSES:\n            left["name"] = name\n',
    ],
  ),
  wrong('names', 'a byte order mark at the beginning of a name is lost', says.name, [
    '    name = body["name"]\n',
    '    name = body["name"]\n    if isinstance(name, str):\n        name = name.removeprefix("\\ufeff")\n',
  ]),
  wrong(
    'lists',
    'a list without a limit has the limit of the list before',
    says.atMost20,
    [handler, `${handler}default = {"limit": 20}\n`],
    ['    limit, status = 20, None\n', '    limit, status = default["limit"], None\n'],
    ['        limit = int(text)\n', '        limit = default["limit"] = int(text)\n'],
  ),
  wrong('lists', 'a list that is as long as its limit lacks its last animal', says.listPurpose, [
    page,
    '        return pets[: limit - 1] if len(pets) == limit else pets[:limit]\n',
  ]),
  wrong(
    'animals',
    'an id that was 404 once stays 404',
    says.requested,
    [handler, `${handler}unknown = set()\n`],
    [found, '        pet = None if text in unknown else store.find(int(text))\n'],
    [
      '            raise Refusal(404, "no_such_pet", "No animal has this id.")\n',
      '            unknown.add(text)\n            raise Refusal(404, "no_such_pet", "No animal has this id.")\n',
    ],
  ),
  wrong(
    'concurrency',
    'a list during a create is 500',
    says.page,
    [
      '            self.last_id += 1\n',
      '            self.busy = True\n            threading.Event().wait(0.002)\n            self.busy = False\n            self.last_id += 1\n',
    ],
    ['        self.last_id = 0\n', '        self.last_id = 0\n        self.busy = False\n'],
    [
      '    def page(self, limit, status):\n',
      '    def page(self, limit, status):\n        if self.busy:\n            raise Refusal(500, "internal", "The dictionary changed.")\n',
    ],
  ),
]

export const secondRightPython = [
  right('refused creates use up ids', [newPet, `        store.last_id += 1\n${newPet}`]),
  right(
    'a list shows an animal a second after its 201',
    [
      '            pets = list(self.pets.values())\n',
      '            pets = [pet for pet in self.pets.values() if time.monotonic() - self.since[pet["id"]] > 1]\n',
    ],
    ['import threading\n', 'import threading\nimport time\n'],
    ['        self.last_id = 0\n', '        self.last_id = 0\n        self.since = {}\n'],
    [
      '            self.pets[pet["id"]] = pet\n',
      '            self.since[pet["id"]] = time.monotonic()\n            self.pets[pet["id"]] = pet\n',
    ],
  ),
]
