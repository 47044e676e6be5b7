import { rightIn } from '../shop.ts'

const right = rightIn('python')
const refusedLimit = 'raise Refusal(400, "bad_limit", "limit is a number from 1 to 100.")\n        limit = int(text)'
const sent = 'self.send_header("Content-Type", "application/json")'

export const rightPython = [
  right('as it is'),
  right('an impossible limit is brought into its range', [
    refusedLimit,
    'limit = 1 if not text.isdecimal() or int(text) < 1 else 100\n        else:\n            limit = int(text)',
  ]),
  right('an unknown status in a list finds nothing', [
    '        if status not in STATUSES:\n            raise Refusal(400, "bad_status", "status is none of available, pending and sold.")\n    return',
    '    return',
  ]),
  right('an empty name is refused', [
    'if not isinstance(name, str):',
    'if not isinstance(name, str) or not name.strip():',
  ]),
  right('animals have more members', [
    '{"id": self.last_id, **new_pet}',
    '{"id": self.last_id, **new_pet, "createdAt": "2026-11-17T12:00:00Z", "tags": []}',
  ]),
  right('every response takes 50 ms', [
    'body = json.dumps(value).encode()',
    'threading.Event().wait(0.05)\n        body = json.dumps(value).encode()',
  ]),
  right('HTTP/1.0, so each connection is closed', ['"HTTP/1.1"', '"HTTP/1.0"']),
  right('the newest animal comes first', [
    'pets = list(self.pets.values())',
    'pets = list(reversed(self.pets.values()))',
  ]),
  right('another media type of a create is 415', [
    'new_pet = read_new_pet(self.raw_body)',
    'if self.headers.get_content_type() != "application/json":\n            raise Refusal(415, "media_type", "Send application/json.")\n        new_pet = read_new_pet(self.raw_body)',
  ]),
  right('ids are negative', ['self.last_id += 1', 'self.last_id -= 1']),
  right('the 201 has a Location, responses an ETag and a request id', [
    sent,
    'self.send_header("Location", "/v1/pets/1") if status == 201 else None\n        self.send_header("ETag", f\'"{hash(body) & 0xffff:x}"\')\n        self.send_header("X-Request-Id", "17")\n        ' +
      sent,
  ]),
]
