import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('python')
const refusing = 'self.answer(refusal.status, refusal.body)'

export const wrongPython = [
  wrong('keys', 'a prefix of the key is enough', says.unauthorized, [
    'if key != KEY:',
    'if not key or not KEY.startswith(key):',
  ]),
  wrong('keys', 'what begins with the key is a key', says.unauthorized, [
    'if key != KEY:',
    'if not key.startswith(KEY):',
  ]),
  wrong('keys', 'the key is compared without case', says.unauthorized, [
    'if key != KEY:',
    'if key.lower() != KEY.lower():',
  ]),
  wrong('keys', 'any text as long as the key is a key', says.unauthorized, [
    'if key != KEY:',
    'if len(key) != len(KEY):',
  ]),
  wrong('keys', 'only the first 16 characters of the key count', says.unauthorized, [
    'if key != KEY:',
    'if key[:16] != KEY[:16]:',
  ]),
  wrong('keys', 'the key is taken with any scheme', says.bearer, ['if scheme.lower() != "bearer":', 'if not scheme:']),
  wrong('keys', 'a list with a limit needs no key', says.bearer, [
    'self.check_key()',
    'if "limit=" not in self.path: self.check_key()',
  ]),
  wrong('keys', 'a single animal needs no key', says.bearer, [
    'self.check_key()',
    'if not self.path.startswith("/v1/pets/"): self.check_key()',
  ]),
  wrong('keys', 'a connection that showed the key once needs it no more', says.unauthorized, [
    'self.check_key()',
    'self.known = getattr(self, "known", False) or self.check_key() is None',
  ]),
  wrong('keys', 'access_token in the address is a key', says.header, [
    'header = self.headers.get("Authorization")',
    'header = self.headers.get("Authorization") or "Bearer " + parse_qs(self.path.partition("?")[2]).get("access_token", [""])[0]',
  ]),
  wrong('keys', 'a body is judged before the key', says.unauthorized, [
    'self.check_key()',
    'read_new_pet(self.raw_body) if self.command == "POST" else None; self.check_key()',
  ]),

  wrong('status lines', 'an invalid key is forbidden, 403', says.unauthorized, [
    'Refusal(401, "wrong_key"',
    'Refusal(403, "wrong_key"',
  ]),
  wrong('status lines', 'a missing field is unprocessable, 422', says.refused, [
    'Refusal(400, "field_missing"',
    'Refusal(422, "field_missing"',
  ]),
  wrong('status lines', 'an empty body is 500', says.refused, [
    'Refusal(400, "body_missing"',
    'Refusal(500, "body_missing"',
  ]),
  wrong('status lines', 'an animal that is not there is 200 with null', says.notFound, [
    'raise Refusal(404, "no_such_pet", "No animal has this id.")',
    'return self.answer(200, None)',
  ]),
  wrong('status lines', 'an added animal is 200', says.created, ['self.answer(201, pet)', 'self.answer(200, pet)']),
  wrong('status lines', 'getPet is gone, 410', says.removal, [
    'pet = store.find(int(text))',
    'raise Refusal(410, "gone", "Use the list.")\n        pet = None',
  ]),

  wrong('errors', "a list's 401 has no code", says.errorCode, [
    refusing,
    'refusal.body.pop("code") if self.path.startswith("/v1/pets") and self.command == "GET" and refusal.status == 401 and "/pets/" not in self.path else None\n            self.answer(refusal.status, refusal.body)',
  ]),
  wrong('errors', 'the 404 has no message', says.errorMessage, [
    refusing,
    'refusal.body.pop("message") if refusal.status == 404 else None\n            self.answer(refusal.status, refusal.body)',
  ]),
  wrong('errors', 'the status of a 404 is a text', says.errorStatus, [
    refusing,
    'refusal.body["status"] = str(refusal.status) if refusal.status == 404 else refusal.status\n            self.answer(refusal.status, refusal.body)',
  ]),
  wrong('errors', "a create's 401 says 400 in its body", says.errorStatus, [
    refusing,
    'refusal.body["status"] = 400 if self.command == "POST" else refusal.status\n            self.answer(refusal.status, refusal.body)',
  ]),
  wrong('errors', 'the code for a category beyond int64 is null', says.errorCode, ['"category_range"', 'None']),
  wrong('errors', 'the code of a body that is no object is a number', says.errorCode, ['"not_an_object"', '1003']),
  wrong('errors', 'the message for a bad status is a list of texts', says.errorMessage, [
    '400, "bad_status", "status is none of available, pending and sold.")\n        new_pet',
    '400, "bad_status", ["status is none of available, pending and sold."])\n        new_pet',
  ]),
  wrong('errors', 'errors of creates are in a member called error', says.errors, [
    refusing,
    'self.answer(refusal.status, {"error": refusal.body} if self.command == "POST" else refusal.body)',
  ]),
  wrong('errors', 'the 401 for another scheme is null', says.unauthorized, [
    'raise Refusal(401, "no_bearer", "Send the API key as a bearer token.")',
    'refusal = Refusal(401, "", "")\n            refusal.body = None\n            raise refusal',
  ]),

  wrong('media types', "getPet's 401 is text/html", says.mediaType, [
    'self.send_header("Content-Type", "application/json")',
    'self.send_header("Content-Type", "text/html" if status == 401 and "/pets/" in self.path else "application/json")',
  ]),
  wrong('media types', 'a 400 is application/problem+json', says.mediaType, [
    'self.send_header("Content-Type", "application/json")',
    'self.send_header("Content-Type", "application/problem+json" if status == 400 else "application/json")',
  ]),
  wrong('media types', 'a list has no media type', says.mediaType, [
    'self.send_header("Content-Type", "application/json")',
    'isinstance(value, list) or self.send_header("Content-Type", "application/json")',
  ]),

  wrong('int64', 'the 201 rounds the category like a double', says.categoryId, [
    'self.answer(201, pet)',
    'self.answer(201, {**pet, "categoryId": int(float(pet["categoryId"]))})',
  ]),
  wrong('int64', 'lists round the category like a double', says.categoryId, [
    'self.answer(200, pets)',
    'self.answer(200, [{**pet, "categoryId": int(float(pet["categoryId"]))} for pet in pets])',
  ]),
  wrong('int64', 'a category above 2^31 is refused', says.categoryId, [
    'if not -(2**63) <= category < 2**63:',
    'if not -(2**31) <= category < 2**31:',
  ]),
  wrong('int64', 'any category that Python can hold is taken', says.categoryId, [
    'if not -(2**63) <= category < 2**63:',
    'if False:',
  ]),

  wrong('refusals', 'true is a category', says.refused, [' or isinstance(category, bool)', '']),
  wrong('refusals', 'category 0 is missing', says.categoryId, [
    'if field not in body:',
    'if body.get(field) in (None, 0):',
  ]),
  wrong('refusals', 'an empty status is like none', says.statusValues, [
    'if "status" in body:',
    'if body.get("status", "") != "":',
  ]),
  wrong('refusals', 'a name that is a number becomes a text', says.refused, [
    'name = body["name"]',
    'name = str(body["name"]) if isinstance(body["name"], int) else body["name"]',
  ]),
  wrong('refusals', 'digits in quotes are a category', says.refused, [
    'category = body["categoryId"]',
    'category = int(body["categoryId"]) if str(body["categoryId"]).isdecimal() else body["categoryId"]',
  ]),

  wrong('creates', 'a create with a bad status is refused and stored', says.refused, [
    'if body["status"] not in STATUSES:',
    'if body["status"] not in STATUSES:\n            store.add(new_pet)',
  ]),
  wrong('creates', 'an animal is stored twice', says.created, [
    'pet = store.add(new_pet)',
    'store.add(new_pet)\n        pet = store.add(new_pet)',
  ]),
  wrong('creates', 'the id of the body is used', says.id, [
    'new_pet = read_new_pet(self.raw_body)\n        pet = store.add(new_pet)',
    'new_pet = read_new_pet(self.raw_body)\n        given = json.loads(self.raw_body).get("id")\n        pet = store.add({**new_pet, "id": given} if isinstance(given, int) else new_pet)',
  ]),
  wrong('creates', 'every seventh animal is not stored', says.created, [
    'self.pets[pet["id"]] = pet',
    'if self.last_id % 7: self.pets[pet["id"]] = pet',
  ]),

  wrong('names', 'names are trimmed', says.name, ['{"name": name,', '{"name": name.strip(),']),
  wrong('names', 'characters outside ASCII are lost', says.name, [
    '{"name": name,',
    '{"name": name.encode("ascii", "ignore").decode(),',
  ]),
  wrong('names', 'every tenth name is in capitals', says.name, [
    'self.pets[pet["id"]] = pet',
    'self.pets[pet["id"]] = pet if self.last_id % 10 else {**pet, "name": pet["name"].upper()}',
  ]),

  wrong('lists', 'the limit is ignored with a status', says.limit, [
    'return pets[:limit]',
    'return pets[:limit] if status is None else pets',
  ]),
  wrong('lists', 'one animal more than the limit', says.limit, ['return pets[:limit]', 'return pets[: limit + 1]']),
  wrong('lists', 'the limit comes before the status', says.statusFilter, [
    'pets = list(self.pets.values())',
    'pets = list(self.pets.values())[:limit]',
  ]),
  wrong('lists', 'a list without matches is 404', says.page, [
    'self.answer(200, pets)',
    'if not pets: raise Refusal(404, "no_pets", "No animal matches.")\n        self.answer(200, pets)',
  ]),
  wrong('lists', 'a list lacks the newest animal', says.listPurpose, [
    'pets = list(self.pets.values())',
    'pets = list(self.pets.values())[:-1]',
  ]),

  wrong('animals', 'getPet answers with the next animal', says.requested, [
    'return self.pets.get(pet_id)',
    'return self.pets.get(pet_id) and self.pets.get(pet_id + 1, self.pets[pet_id])',
  ]),
  wrong('concurrency', 'creates at the same time share an id', says.id, [
    '        with self.lock:\n            self.last_id += 1\n            pet = {"id": self.last_id, **new_pet}\n            self.pets[pet["id"]] = pet\n',
    '        next_id = self.last_id + 1\n        threading.Event().wait(0.005)\n        self.last_id = next_id\n        pet = {"id": next_id, **new_pet}\n        self.pets[next_id] = pet\n',
  ]),
  wrong('durability', 'only the last 30 animals are kept', says.created, [
    'self.pets[pet["id"]] = pet',
    'self.pets[pet["id"]] = pet\n            self.pets.pop(self.last_id - 30, None)',
  ]),
  wrong('http', 'the body of a refused create is read as the next request', says.http, [
    'self.raw_body = self.read_body()\n            self.check_key()',
    'self.check_key()\n            self.raw_body = self.read_body()',
  ]),
  wrong(
    'http',
    'the length of a response is counted in characters',
    says.http,
    [
      'body = json.dumps(value).encode()',
      'text = json.dumps(value, ensure_ascii=False)\n        body = text.encode(errors="replace")',
    ],
    ['str(len(body))', 'str(len(text))'],
  ),
]
