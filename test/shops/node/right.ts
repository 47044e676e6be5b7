import { rightIn } from '../shop.ts'

const right = rightIn('node')
const contentType = "'content-type': 'application/json'"

export const rightNode = [
  right('as it is'),
  right(
    'a list is up to half a second old',
    ['let found = [...pets.values()]', 'let found = recent()'],
    [
      'let nextId = 1n',
      'let nextId = 1n\nlet copy = []\nsetInterval(() => (copy = [...pets.values()]), 500)\nconst recent = () => copy',
    ],
  ),
  right(
    'animals can be deleted',
    [
      "  throw new Refusal(404, 'not_found', 'There is no such operation.')",
      "  if (path.startsWith('/v1/pets/') && method === 'DELETE') return deletePet\n  throw new Refusal(404, 'not_found', 'There is no such operation.')",
    ],
    [
      'function route(',
      'function deletePet({ path }) {\n  const { body } = getPet({ path })\n  pets.delete(body.id)\n  return { status: 200, body }\n}\n\nfunction route(',
    ],
  ),
  right('a limit or status that is not allowed is 400', [
    "const status = query.get('status')",
    "const status = query.get('status')\n  if (limit !== number || !statuses.includes(status ?? 'sold')) throw new Refusal(400, 'invalid', 'limit or status')",
  ]),
  right('getPet tells that it is deprecated', [
    contentType,
    contentType +
      ", ...(request.url.includes('/pets/') && { deprecation: '@1764892800', sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' })",
  ]),
  right('a method that is unknown is 405', [
    "  throw new Refusal(404, 'not_found', 'There is no such operation.')",
    "  throw new Refusal(path.startsWith('/v1/pets') ? 405 : 404, 'not_found', 'There is no such operation.')",
  ]),
  right('a response comes in two parts', [
    '  response.end(text)\n',
    '  response.write(text.slice(0, 1))\n  setTimeout(() => response.end(text.slice(1)), 5)\n',
  ]),
  right('the first id is 0', ['let nextId = 1n', 'let nextId = 0n']),
  right('each connection is closed', [contentType, contentType + ", connection: 'close'"]),
  right('a list names its next page', [
    contentType,
    contentType +
      ", ...(Array.isArray(body) && { link: '</v1/pets?page=2>; rel=\"next\"', 'x-total-count': pets.size })",
  ]),
]
