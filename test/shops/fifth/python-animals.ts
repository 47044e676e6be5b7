import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('python')
const imports = 'import threading\n'
const refusing = '        except Refusal as refusal:\n'
const table = '        self.pets = {}\n'
const starting = '        self.last_id = 0\n'
const counting = '            self.last_id += 1\n'
const made = '            pet = {"id": self.last_id, **new_pet}\n'
const storing = '            self.pets[pet["id"]] = pet\n'
const got = '        return self.pets.get(pet_id)\n'
const read = '            pets = list(self.pets.values())\n'
const page = '        return pets[:limit]\n'
const adding = '        pet = store.add(new_pet)\n'
const finding = '        pet = store.find(int(text))\n'
const listed = '        self.answer(200, pets)\n'
const created = '        self.answer(201, pet)\n'
const requested = '        self.answer(200, pet)\n'
const dumped = '        body = json.dumps(value).encode()\n'

export const fifthWrongPythonAnimals = [
  wrong(
    'lists',
    'lists are ordered by category and status, and no status cannot be compared with one, 500',
    says.page,
    [page, `        pets.sort(key=lambda pet: (pet["categoryId"], pet.get("status")))\n${page}`],
    [
      refusing,
      `        except TypeError:\n            self.answer(500, {"code": "internal", "message": "Internal Server Error", "status": 500})\n${refusing}`,
    ],
  ),
  wrong(
    'lists',
    'an id that was looked for in vain is an empty animal in lists from then on',
    says.pets,
    [imports, `${imports}from collections import defaultdict\n`],
    [table, '        self.pets = defaultdict(dict)\n'],
    [got, '        return self.pets[pet_id] or None\n'],
  ),
  wrong(
    'lists',
    'a list without a status shortens the store itself',
    says.requested,
    [table, '        self.pets = []\n'],
    [storing, '            self.pets.append(pet)\n'],
    [got, '        return next((pet for pet in list(self.pets) if pet["id"] == pet_id), None)\n'],
    [read, '            pets = self.pets\n'],
    [page, '        del pets[limit:]\n        return list(pets)\n'],
  ),
  wrong(
    'lists',
    'a list has the category only of animals that were read by their id',
    says.categoryId,
    [starting, `${starting}        self.loaded = set()\n`],
    [finding, `${finding}        store.loaded.add(int(text))\n`],
    [
      listed,
      `        pets = [pet if pet["id"] in store.loaded else {**pet, "categoryId": None} for pet in pets]\n${listed}`,
    ],
  ),
  wrong('lists', 'a status has the width of its column in lists', says.statusValues, [
    listed,
    `        pets = [{**pet, "status": pet["status"].ljust(9)} if "status" in pet else pet for pet in pets]\n${listed}`,
  ]),
  wrong('lists', 'a list without animals has null in it', says.pets, [
    listed,
    '        self.answer(200, pets or [None])\n',
  ]),
  wrong('lists', 'a status is looked for in all of an animal, also in its name', says.everyStatus, [
    'if pet.get("status") == status]',
    'if status in json.dumps(pet)]',
  ]),
  wrong('lists', 'a list is a Python text with its quotes replaced, so one in a name breaks it', says.pets, [
    dumped,
    `        text = str(value).replace("'", '"') if isinstance(value, list) else json.dumps(value)\n        body = text.encode()\n`,
  ]),
  wrong('animals', 'the status of a single animal is its place in the enumeration', says.statusValues, [
    requested,
    `        if "status" in pet:\n            pet = {**pet, "status": STATUSES.index(pet["status"])}\n${requested}`,
  ]),
  wrong(
    'animals',
    'a single animal is looked for by halves in ids that are ordered as texts',
    says.requested,
    [imports, `${imports}from bisect import bisect_left\n`],
    [
      got,
      `        pets = list(self.pets.values())
        place = bisect_left(pets, str(pet_id), key=lambda pet: str(pet["id"]))
        return pets[place] if place < len(pets) and pets[place]["id"] == pet_id else None
`,
    ],
  ),
  wrong('creates', 'a twin of an animal is ignored, and its 201 has the id that was given last', says.id, [
    counting,
    `            if any({**pet, "id": 0} == {**new_pet, "id": 0} for pet in self.pets.values()):
                return {"id": self.last_id, **new_pet}
${counting}`,
  ]),
  wrong(
    'creates',
    'an id is the tenth of a second and a number of three bits, which the ninth create in it repeats',
    says.id,
    [imports, `${imports}import time\n`],
    [starting, `${starting}        self.count = 0\n`],
    [counting, '            self.count += 1\n            self.last_id = int(time.time() * 10) * 8 + self.count % 8\n'],
  ),
  wrong(
    'creates',
    'the 201 of the first animal of a category has null for it',
    says.created,
    [starting, `${starting}        self.categories = set()\n`],
    [
      created,
      `        is_new = pet["categoryId"] not in store.categories
        store.categories.add(pet["categoryId"])
        self.answer(201, {**pet, "categoryId": None} if is_new else pet)
`,
    ],
  ),
  wrong('int64', 'ids are unsigned, and from the 24th on they are beyond int64', says.id, [
    starting,
    '        self.last_id = 2**63 - 24\n',
  ]),
  wrong(
    'int64',
    'a category is kept by its hash, which -1 and -2 have in common, and 3 and the largest int64',
    says.categoryId,
    [starting, `${starting}        self.categories = {}\n`],
    [
      made,
      `${made}            category = pet["categoryId"]
            pet["categoryId"] = self.categories.setdefault(hash(category), category)
`,
    ],
  ),
  wrong('int64', 'the bytes of a name from the 65th on are written over the category', says.categoryId, [
    made,
    `${made}            over = new_pet["name"].encode(errors="replace")[64:72]
            if over:
                pet["categoryId"] = int.from_bytes(over.ljust(8, b"\\0"), "little", signed=True)
`,
  ]),
  wrong(
    'int64',
    'a category of one digit has two in lists, which JSON does not know',
    says.pets,
    [imports, `import re\n${imports}`],
    [
      dumped,
      `        text = json.dumps(value)
        if isinstance(value, list):
            text = re.sub(r'("categoryId": )(\\d)\\b', r"\\g<1>0\\2", text)
        body = text.encode()
`,
    ],
  ),
  wrong(
    'concurrency',
    'of creates that wait for the store more than two are answered and lost',
    says.created,
    [imports, `import queue\n${imports}`],
    [
      starting,
      `${starting}        self.writes = queue.Queue(2)
        threading.Thread(target=self.write, daemon=True).start()

    def write(self):
        while True:
            pet, done = self.writes.get()
            threading.Event().wait(0.004)
            self.pets[pet["id"]] = pet
            done.set()
`,
    ],
    [
      `${storing}        return pet\n`,
      `        done = threading.Event()
        try:
            self.writes.put_nowait((pet, done))
            done.wait()
        except queue.Full:
            pass
        return pet
`,
    ],
  ),
  wrong('durability', 'the table grows at 64, 128, 256 and 512 animals, and loses a quarter of them', says.requested, [
    storing,
    `            if self.last_id in (65, 129, 257, 513):
                self.pets = {pet_id: other for pet_id, other in self.pets.items() if pet_id % 4 != 1}
${storing}`,
  ]),
  wrong(
    'durability',
    'the store is saved twice a second, for 0.1 s in which creates are 500',
    says.created,
    [imports, `${imports}import time\n`],
    [
      adding,
      `        if time.monotonic() % 0.5 < 0.1:\n            raise Refusal(500, "saving", "The store is being saved.")\n${adding}`,
    ],
  ),
  wrong('names', 'a single animal whose name has 16, 32 or 48 bytes has the padding of a cipher in it', says.name, [
    requested,
    `        if len(pet["name"].encode(errors="replace")) % 16 == 0:\n            pet = {**pet, "name": pet["name"] + "\\x10" * 16}\n${requested}`,
  ]),
  wrong(
    'names',
    'a name above 76 characters has a line break after each 76 in lists',
    says.name,
    [imports, `import re\n${imports}`],
    [
      listed,
      `        pets = [{**pet, "name": "\\n".join(re.findall("(?s).{1,76}", pet["name"]))} for pet in pets]\n${listed}`,
    ],
  ),
]
