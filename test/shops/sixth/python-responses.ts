import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('python')
const imports = 'import os\n'
const starting = '        self.last_id = 0\n'
const counting = '            self.last_id += 1\n'
const storing = '            self.pets[pet["id"]] = pet\n'
const got = '        return self.pets.get(pet_id)\n'
const filtered = '            pets = [pet for pet in pets if pet.get("status") == status]\n'
const page = '        return pets[:limit]\n'
const paged = '        pets = store.page(limit, status)\n'
const listed = '        self.answer(200, pets)\n'
const requested = '        self.answer(200, pet)\n'
const missing = '            raise Refusal(404, "no_such_pet", "No animal has this id.")\n'
const dumped = '        body = json.dumps(value).encode()\n'
const errorBody = '        self.body = {"code": code, "message": message, "status": status}\n'
const refusing = '            self.answer(refusal.status, refusal.body)\n'
const responding = '        self.send_response(status)\n'
const typed = '        self.send_header("Content-Type", "application/json")\n'

/** What was not foreseen ends on the page of the library. */
const crashing = [refusing, `${refusing}        except Exception:\n            self.send_error(500)\n`] as const

export const sixthWrongPythonResponses = [
  wrong('errors', 'the message of a missing member is an object of lists', says.errorMessage, [
    'f"{field} is missing."',
    '{field: ["Missing data for required field."]}',
  ]),
  wrong('errors', 'an unknown animal is {"detail": "Not Found"}', says.errors, [
    missing,
    '            return self.answer(404, {"detail": "Not Found"})\n',
  ]),
  wrong(
    'errors',
    'the status of an error is its reason phrase',
    says.errorStatus,
    [imports, `${imports}from http import HTTPStatus\n`],
    [errorBody, errorBody.replace('"status": status', '"status": HTTPStatus(status).phrase')],
  ),
  wrong('errors', 'the body of each error has the status 400', says.errorStatus, [
    errorBody,
    errorBody.replace('"status": status', '"status": 400'),
  ]),
  wrong('lists', 'a limit counts only for a list of all statuses', says.limit, [
    page,
    '        return pets[:limit] if status is None else pets\n',
  ]),
  wrong('lists', 'one animal more is read, to know whether there are more, and returned', says.limit, [
    page,
    '        return pets[:limit + 1]\n',
  ]),
  wrong(
    'lists',
    'a cache of lists, emptied by each create, has the limit as its key and not the status',
    says.everyStatus,
    [starting, `${starting}        self.pages = {}\n`],
    [counting, `${counting}            self.pages.clear()\n`],
    [
      paged,
      '        if limit not in store.pages:\n            store.pages[limit] = store.page(limit, status)\n        pets = store.pages[limit]\n',
    ],
  ),
  wrong('lists', 'a list is an object with the ids as names', says.bareArray, [
    listed,
    '        self.answer(200, {pet["id"]: pet for pet in pets})\n',
  ]),
  wrong('lists', 'an animal without a status is in the list of each', says.everyStatus, [
    filtered,
    filtered.replace('.get("status")', '.get("status", status)'),
  ]),
  wrong(
    'lists',
    'the sort by status fails when an animal has none, 500',
    says.page,
    [page, '        return sorted(pets, key=lambda pet: pet["status"])[:limit]\n'],
    [...crashing],
  ),
  wrong(
    'lists',
    'a list that comes from the cache is encoded twice',
    says.bareArray,
    [starting, `${starting}        self.pages = {}\n`],
    [counting, `${counting}            self.pages.clear()\n`],
    [
      paged,
      `        if (limit, status) in store.pages:
            return self.answer(200, store.pages[limit, status])
${paged}        store.pages[limit, status] = json.dumps(pets)
`,
    ],
  ),
  wrong('lists', 'the ids become texts in the store once they were listed', says.id, [
    listed,
    `        for pet in pets:\n            pet["id"] = str(pet["id"])\n${listed}`,
  ]),
  wrong('animals', 'an id below 1 counts from the end of the list', says.notFound, [
    got,
    '        try:\n            return list(self.pets.values())[pet_id - 1]\n        except IndexError:\n            return None\n',
  ]),
  wrong('animals', 'one animal is a row without the names of its columns', says.requested, [
    requested,
    '        self.answer(200, list(pet.values()))\n',
  ]),
  wrong('animals', 'one animal is the list of what the query found', says.requested, [
    requested,
    '        self.answer(200, [pet])\n',
  ]),
  wrong('animals', 'one animal has category_id and no categoryId', says.pet, [
    requested,
    '        self.answer(200, {name.replace("categoryId", "category_id"): value for name, value in pet.items()})\n',
  ]),
  wrong('animals', 'no status is the text None', says.statusValues, [
    '    new_pet = {"name": name, "categoryId": category}\n',
    '    new_pet = {"name": name, "categoryId": category, "status": str(body.get("status"))}\n',
  ]),
  wrong(
    'animals',
    'an id is the checksum of the name, and animals of one name share it',
    says.id,
    [imports, `${imports}import zlib\n`],
    ['{"id": self.last_id, **new_pet}', '{"id": zlib.crc32(new_pet["name"].encode()), **new_pet}'],
  ),
  wrong(
    'animals',
    'an id is the second of the clock',
    says.id,
    [imports, `${imports}import time\n`],
    ['{"id": self.last_id, **new_pet}', '{"id": int(time.time()), **new_pet}'],
  ),
  wrong('durability', 'the oldest of more than 50 animals is dropped', says.requested, [
    storing,
    `${storing}            if len(self.pets) > 50:\n                del self.pets[next(iter(self.pets))]\n`,
  ]),
  wrong(
    'durability',
    'a refused body rolls back all creates since the last list',
    says.requested,
    [
      refusing,
      `${refusing}            if refusal.status == 400:
                for pet_id in store.uncommitted:
                    store.pets.pop(pet_id, None)
`,
    ],
    [starting, `${starting}        self.uncommitted = []\n`],
    [storing, `${storing}            self.uncommitted.append(pet["id"])\n`],
    [paged, `${paged}        store.uncommitted = []\n`],
  ),
  wrong(
    'media types',
    'one animal is text/html, as a view that returns a text',
    says.mediaType,
    ['    def answer(self, status, value):\n', '    def answer(self, status, value, media_type="application/json"):\n'],
    [typed, '        self.send_header("Content-Type", media_type)\n'],
    [requested, '        self.answer(200, pet, "text/html; charset=utf-8")\n'],
  ),
  wrong('status lines', 'an unknown animal is 200 and null', says.notFound, [
    missing,
    '            return self.answer(200, None)\n',
  ]),
  wrong('status lines', 'a list is 206 when there are more animals', says.page, [
    listed,
    '        self.answer(206 if len(store.page(limit + 1, status)) > limit else 200, pets)\n',
  ]),
  wrong('status lines', 'after a create all good responses of its connection are 201', says.page, [
    responding,
    '        if status == 201:\n            self.created = True\n        if status == 200 and getattr(self, "created", False):\n            status = 201\n' +
      responding,
  ]),
  wrong('names', 'a list is the text of a Python list with other quotes', says.http, [
    dumped,
    `        text = str(value).replace("'", '"') if isinstance(value, list) else json.dumps(value)\n        body = text.encode()\n`,
  ]),
]
