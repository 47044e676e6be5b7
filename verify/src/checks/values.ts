import { type Check, type Subject, writes } from '../shop/check.ts'
import type { ShopRequest } from '../shop/exchange.ts'
import { expectName, expectPet, fail, Skipped } from '../shop/expect.ts'
import { says } from './contract-sentences.ts'

const ofName = { sentence: says.name, conclusion: 'A string of JSON has any characters. Another text is another name.' }
const ofCategory = {
  sentence: says.categoryId,
  conclusion: 'With another digit it is the identifier of another category.',
}

/** Kept as int64, not as a number of 8, 16, 24, 31, 32, 53 or 63 bits, nor as a text with an exponent. */
const categoryIds = [
  ['0', '1', '-1', '255', '256', '-129', '32768', '65536', '-32769', '16777217'],
  ['2147483647', '2147483648', '-2147483648', '-2147483649', '4294967295', '4294967296', '-4294967297'],
  ['9007199254740991', '9007199254740992', '-9007199254740993', '1000000000000000000', '1152921504606846977'],
  ['10', '1000000', '1000000000000', '100000000000000000', '42', '99999999999', '-99999999999999', '1234567890123'],
  ['-1152921504606846977', '4611686018427387905', '9223372036854775806', '-9223372036854775807'],
].flat()

const endsBeyondAscii = ['日本 Жук 🐕 "\\/', 'Ärger ñ ß é', '👩‍👩‍👧 🇩🇪 𝒳', 'שלום مرحبا']
const endsWithMarks = [
  `<b>Rex</b> & "Tom" 'Kit' &amp; &#39;`,
  `'); DROP TABLE pets; -- %s %20 + ?`,
  '\\n \\u0041 \\\\ {} [] null true 007',
  '${name} {{name}} #{name} $1 \\1 %d %n %%',
]
const unusualEnds = [
  ['  ', ' Rex  '],
  ['', ' Rex   and  Tom'],
  ['', ' Rex\nTom\tKit'],
  ['', ' Zoe\u0308 e\u0301 \u00e9'],
  ['\ufeff', ' \u200b'],
  ['', ' \u212b \ufb01 \uff21 \u200d'],
] as const
/** What ends a text, a field or a line, or stands for something else, where names pass through a program in C, a table, a
 * replacement, a format, a shell or a terminal. */
const specialEnds = [
  ['', ' Rex\0Tom'],
  ['', ' Rex, Tom; Kit | Kim'],
  ['', " $$ $& $` $' $0 \\0 \\& &"],
  ['', ' %s %n %% %1$s %5d %@ {0} {}'],
  ['', ' `id` $(id) ${HOME} ~ ! # && || > <'],
  ['', ' .* ^Rex$ (Tom|Kit) [a-z] x{2} \\d+ ?'],
  ['', ' ""Rex"" \'\'Tom\'\' "'],
  ['', ' C:\\new\\table \\'],
  ['=', ' =1+1'],
  ['@', '-1'],
  ['#', '//Rex/../Tom--'],
  ['', ' http://rex.example/a?b=c&d#e https://x.y <rex@example.com>'],
  ['', ' <%= 7*7 %> {{7*7}} #{7*7} <!-- Rex --> ]]> <?x?>'],
  ['', ' :name ? @p1 :1 _ %'],
  ['', ' \u0001 \u001b[31m \u007f \u0085 \u2028'],
] as const
/** Texts that a careless reader takes for another value, or for none. */
const otherValues = ['0', '1', '007', '12345', '1e5', '-1', 'null', 'true', 'false', 'undefined', 'NaN', 'sold']
const ownNames = ['x', 'name', '__proto__', 'constructor', 'toString', '2026-11-17', '[]', '{}', '[object Object]']
/** As forms, tables, configurations and other clocks write numbers, dates and truth. */
const writtenValues = [
  [
    '-0',
    '+1',
    '00',
    '1.0',
    '1.50',
    '.5',
    '0x1F',
    '1,000',
    '1_000',
    '1e400',
    '12345678901234567890',
    '\u0661\u0662',
    '½',
  ],
  ['2026-11-17T12:00:00Z', '2026-11-17 12:00:00', '17.11.2026', '12:30', '1/2', '1970-01-01', '50%', '$5', '1st'],
  ['NULL', 'nil', 'None', 'N/A', 'TRUE', 'False', 'yes', 'no', 'on', 'off', 'Infinity', '-', '~', '.', '..', '*', '?'],
  ['"', '""', "'", '\\', '/', '&', '<', '%', '%00', '\\0', '=', '@', '#', '日', '🐕', 'É', 'available', 'id', 'Rex\\'],
].flat()

/** Adds an animal with this name, which must be added and come back as it was sent. */
async function addNamed(name: string, { shop, stock }: Subject): Promise<void> {
  const made = await shop.create(await stock.bodyOf({ name: JSON.stringify(name), status: '"pending"' }))
  expectName(made, name)
}

/** As before, some at the same time. */
async function addAllNamed(names: readonly string[], status: string, { shop, stock }: Subject): Promise<void> {
  const requests: ShopRequest[] = []
  for (const name of names)
    requests.push({ method: 'POST', path: '/pets', body: await stock.bodyOf({ name: JSON.stringify(name), status }) })
  const left = [...names]
  for await (const made of shop.sendAll(requests)) {
    const name = left.shift() ?? ''
    expectName(made, name)
  }
}

/** As before, unless the shop does not take such a name: the contract does not say that every text is one. */
async function addIfTaken(name: string, { shop, stock }: Subject, status = '"pending"'): Promise<boolean> {
  const made = await shop.create(await stock.bodyOf({ name: JSON.stringify(name), status }))
  if ([400, 413].includes(made.response?.status ?? 0)) return false
  expectName(made, name)
  return true
}

/** Each category, if the shop takes any. */
async function addOfCategories(ids: readonly string[], { shop, stock }: Subject): Promise<void> {
  const { isFree } = await stock.category()
  for (const categoryId of ids) {
    const made = await shop.create(await stock.bodyOf({ categoryId, status: '"pending"' }))
    if (!isFree && made.response?.status === 400) throw new Skipped('the shop refuses categories that it does not know')
    if (expectPet(made, 201).categoryId !== BigInt(categoryId)) fail(made, `the categoryId ${categoryId}`)
  }
}

/** The model compares lists and single reads with the 201. */
function rule(
  id: string,
  name: string,
  source: Pick<Check, 'sentence' | 'conclusion'>,
  run: (subject: Subject) => Promise<void>,
): Check {
  return writes(id, {
    name,
    ...source,
    turn: 'many',
    async run(subject) {
      await subject.stock.showFew()
      await run(subject)
      for (const status of ['pending', 'available']) await subject.shop.list(`?limit=100&status=${status}`)
    },
  })
}

/** What a create says of an animal is what the shop keeps. These animals are pending: a list shows them together. */
export const valueChecks: readonly Check[] = [
  ...['9007199254740993', '9223372036854775807', '-9223372036854775808'].map((categoryId, index) =>
    rule(`C-2-${5 + index}`, `the categoryId ${categoryId} comes back with the same digits`, ofCategory, (subject) =>
      addOfCategories([categoryId], subject),
    ),
  ),
  rule('C-2-8', 'a name beyond ASCII comes back the same', ofName, async (subject) => {
    for (const end of endsBeyondAscii) await addNamed(`${subject.stock.newName()} ${end}`.normalize('NFC'), subject)
  }),
  rule('C-2-13', 'names with marks of HTML, SQL, JSON and templates come back the same', ofName, async (subject) => {
    for (const end of endsWithMarks) await addNamed(`${subject.stock.newName()} ${end}`, subject)
  }),
  rule(
    'C-2-14',
    'a name of 60, 130, 300, 2,000 and 9,000 characters comes back whole, if it is accepted',
    ofName,
    async (subject) => {
      await addNamed(long(subject.stock.newName(), 60), subject)
      for (const length of [130, 300, 2000, 9000])
        if (!(await addIfTaken(long(subject.stock.newName(), length), subject))) return
      await addIfTaken(`${subject.stock.newName()} ${'🐕é'.repeat(100)}!`, subject)
    },
  ),
  rule(
    'C-2-15',
    'the categoryIds 0, -1, 1 and those beside the bounds of smaller numbers come back with the same digits',
    ofCategory,
    (subject) => addOfCategories(categoryIds, subject),
  ),
  rule(
    'C-2-16',
    'white space, line breaks and combining marks of a name come back the same, if they are accepted',
    ofName,
    async (subject) => {
      for (const [start, end] of unusualEnds)
        await addIfTaken(`${start}${subject.stock.newName()}${end}`, subject, '"available"')
    },
  ),
  rule(
    'C-2-18',
    'names with characters that are special to other programs come back the same, if they are accepted',
    ofName,
    async (subject) => {
      for (const [start, end] of specialEnds) await addIfTaken(`${start}${subject.stock.newName()}${end}`, subject)
    },
  ),
  rule(
    'C-2-17',
    'a name that looks like a number, a truth value or a word of a language is a name as any other',
    ofName,
    async (subject) => {
      // Without the mark in the name, the category must say whose animal it is.
      if (!(await subject.stock.category()).isFree)
        throw new Skipped(
          'these names have no mark of the run, and the shop takes no category of the run that could be one',
        )
      await addAllNamed([...otherValues, ...ownNames], '"pending"', subject)
      await addAllNamed(writtenValues, '', subject)
    },
  ),
]

function long(start: string, length: number): string {
  return `${start} ${'Rex und Tom '.repeat(800)}`.slice(0, length - 1).concat('!')
}
