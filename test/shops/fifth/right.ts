import { rightIn } from '../shop.ts'

const python = rightIn('python')
const node = rightIn('node')

const imports = 'import threading\n'
const starting = '        self.last_id = 0\n'
const counting = '            self.last_id += 1\n'
const handler = '    protocol_version = "HTTP/1.1"\n'
const pythonState = 'store = Store()\n'
const errorBody = '        self.body = {"code": code, "message": message, "status": status}\n'
const reading = '            self.raw_body = self.read_body()\n            self.check_key()\n'
const dumped = '        body = json.dumps(value).encode()\n'
const typed = '        self.send_header("Content-Type", "application/json")\n'
const length = '        self.send_header("Content-Length", str(len(body)))\n'

export const fifthRightPython = [
  python('chunks have extensions, and sizes with zeros and capitals', [
    length,
    `        self.send_header("Transfer-Encoding", "chunked")
        parts = [body[place:place + 175] for place in range(0, len(body), 175)]
        body = b"".join(b"%05X;part=%d\\r\\n%s\\r\\n" % (len(part), place, part) for place, part in enumerate(parts))
        body += b"000;last\\r\\n\\r\\n"
`,
  ]),
  python('a connection that is silent for 0.3 s is closed', [handler, `    timeout = 0.3\n${handler}`]),
  python(
    'ids count down from the largest int64',
    [starting, '        self.last_id = 2**63\n'],
    [counting, '            self.last_id -= 1\n'],
  ),
  python(
    'ids go on below zero after 2^31',
    [starting, '        self.last_id = 2**31 - 9\n'],
    [counting, '            self.last_id = self.last_id + 1 if self.last_id + 1 != 2**31 else -(2**31)\n'],
  ),
  python(
    'a limit that is not allowed is 416, an unknown status 404',
    ['raise Refusal(400, "bad_limit"', 'raise Refusal(416, "bad_limit"'],
    [
      '            raise Refusal(400, "bad_status", "status is none of available, pending and sold.")\n    return limit',
      '            raise Refusal(404, "bad_status", "status is none of available, pending and sold.")\n    return limit',
    ],
  ),
  python(
    'animals have a code and a message too, and errors an id and a name',
    [
      '{"id": self.last_id, **new_pet}',
      '{"id": self.last_id, **new_pet, "code": "pet", "message": "An animal.", "error": None}',
    ],
    [errorBody, errorBody.replace('}', ', "id": 0, "name": "Error", "categoryId": 0}')],
  ),
  python('a response has sixty more headers and a cookie of 6 KB', [
    typed,
    `${typed}        for number in range(60):
            self.send_header(f"X-Part-{number}", "application/json")
        self.send_header("Set-Cookie", "visit=" + "v" * 6000)
`,
  ]),
  python('the status of a list may be in capitals', [
    '        status = values["status"][0]\n',
    '        status = values["status"][0].lower()\n',
  ]),
  python('a 401 is sent before the body is read', [
    reading,
    `            try:
                self.check_key()
            except Refusal as refusal:
                self.answer(refusal.status, refusal.body)
                self.wfile.flush()
                self.read_body()
                return
            self.raw_body = self.read_body()
`,
  ]),
  python(
    'every 40th response takes 1.2 s',
    [imports, `import itertools\n${imports}`],
    [pythonState, `${pythonState}turns = itertools.count(1)\n`],
    [dumped, `        if next(turns) % 40 == 0:\n            threading.Event().wait(1.2)\n${dumped}`],
  ),
  python(
    'each error has a code of its own and a long message with line breaks and quotes',
    [imports, `import itertools\n${imports}`],
    [pythonState, `${pythonState}numbers = itertools.count(1)\n`],
    [
      errorBody,
      `        text = message + '\\n\\t"\\\\ \\u2028 \\U0001f600 </script> {0} %s' * 99
        self.body = {"code": f"{code}-{next(numbers)}", "message": text, "status": status}
`,
    ],
  ),
]

const nodeState = 'let nextId = 1n\n'
const operating = '    return operation({ request, path, query, text })\n'
const making = '  const newPet = newPetOf(text)\n'
const creating = 'function createPet({'
const headed = '  response.writeHead(status,'
const waiting = ['return operation(', 'return await operation('] as const

export const fifthRightNode = [
  node(
    'creates are stored together, every 25 ms',
    [
      nodeState,
      `${nodeState}let group

function groupEnd() {
  group ??= new Promise((done) => setTimeout(done, 25)).then(() => (group = undefined))
  return group
}
`,
    ],
    [creating, `async ${creating}`],
    [making, `${making}  await groupEnd()\n`],
    waiting,
  ),
  node(
    'of the requests that wait the newest is served first',
    [
      nodeState,
      `${nodeState}const queue = []

function turn() {
  return new Promise((done) => {
    queue.push(done)
    setTimeout(() => queue.pop()(), 4)
  })
}
`,
    ],
    [operating, `    await turn()\n${operating}`],
  ),
  node(
    'of the requests of a second those after the 400th are 429, which says when to come again',
    [nodeState, `${nodeState}let second = 0\nlet count = 0\n`],
    [
      operating,
      `    const now = Math.floor(Date.now() / 1000)
    count = now === second ? count + 1 : 1
    second = now
    if (count > 400) throw new Refusal(429, 'too_many', 'Come again in a second.')
${operating}`,
    ],
    [headed, `  if (status === 429) response.setHeader('retry-after', '1')\n${headed}`],
  ),
  node('a pending animal is available after three seconds', [
    '  pets.set(pet.id, pet)\n',
    "  pets.set(pet.id, pet)\n  if (pet.status === 'pending') setTimeout(() => pets.set(pet.id, { ...pet, status: 'available' }), 3000)\n",
  ]),
  node('each response takes a time by chance, up to 0.12 s', [
    operating,
    `    await new Promise((done) => setTimeout(done, 120 * Math.random()))\n${operating}`,
  ]),
  node('unknown members of a body are kept and returned', [
    making,
    '  const checked = newPetOf(text)\n  const { id, ...more } = parse(text)\n  const newPet = { ...more, ...checked }\n',
  ]),
  node(
    'a list has other further members than a single animal and a 201',
    [
      '  const pet = { id: nextId++, ...newPet }\n',
      "  const pet = { id: nextId++, ...newPet, links: ['/v1/pets'], category: { name: null }, score: 0.5 }\n",
    ],
    [
      'found.slice(0, limit) }',
      'found.slice(0, limit).map(({ links, category, score, ...pet }, place) => ({ place, ...pet })) }',
    ],
  ),
]
