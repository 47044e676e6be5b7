import { type Check, type Subject, writes } from '../shop/check.ts'
import type { Exchange } from '../shop/exchange.ts'
import { expectName } from '../shop/expect.ts'
import type { Stock } from '../shop/stock.ts'
import { says } from './contract-sentences.ts'

const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join('')
const marks = printable.replaceAll(/\w/g, '').concat('_').split('')

/** Each mark at both ends of a name, and doubled within it. */
const namesWithMarks = (stock: Stock) => [
  ...marks.map((mark) => `${mark}${stock.newName()} a${mark}b ${mark}${mark} ${mark}`),
  ...[printable.slice(0, 47), printable.slice(47)].map((part) => `${stock.newName()} ${part}`),
]

/** Texts in which a careless program finds the animals of a list, the end of one, or a status. */
const namesLikeJson = [
  '"status":"sold"',
  '","status":"sold","x":"',
  '"id":1,"name":"Rex"',
  '},{"id":1}',
  ']}',
  '[{}]',
  'null,',
  '"categoryId":9007199254740993',
  'status=sold&limit=1',
  'available pending sold',
  '\\"},{\\"id\\":2',
  '\\u0022\\u005c',
  '1,2;3|4/5',
  ', ]  : { } ,',
  'NaN -Infinity 1e999 0.10 00',
]

/** One letter of every block of Unicode that has one, in names of sixty. */
function lettersOfEveryBlock(): string[] {
  const letters: string[] = []
  for (let block = 0x100; block < 0x20000; block += 0x80)
    for (let code = block + 0x21; code < block + 0x80; code++) {
      const letter = String.fromCodePoint(code)
      if (!/^\p{L}$/u.test(letter) || letter.normalize('NFC') !== letter) continue
      letters.push(letter)
      break
    }
  return Array.from({ length: Math.ceil(letters.length / 60) }, (_, part) =>
    letters.slice(60 * part, 60 * part + 60).join(''),
  )
}

const between = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('')

/** Names of one script, of letters whose case or form differs by language, of symbols and of emojis. */
const namesOfScripts = [
  between(0xc0, 0xff),
  'ÀÉÎÕÜ àéîõü Œœ Ÿ Žž Łł Øø Þþ Đđ',
  'İstanbul ısı Iıİi',
  'Straße ẞ ſ ŉ ǰ',
  'Σίσυφος ς Σ ΐ',
  'Жучка Ёлка Їжак Ґава',
  'ਸ਼ੇਰ हिन्दी க்ஷ ไทย ລາວ ខ្មែរ မြန်မာ',
  '한국어 中文 繁體 日本語ひらがなカタカナ',
  'العربية فارسی اردو שָׁלוֹם',
  '€ £ ¥ © ® ™ § ¶ † … ‰ ′ ″ ≤ ≠ ∞ √ ½ ²',
  '“Rex” ‘Tom’ «Kit» – — ‑ ·',
  '←↑→↓ ★☆ ♠♥ ☺️ ✔️ #️⃣ 1️⃣',
  '👋🏽 👩🏿‍🚀 🏳️‍🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👨‍👩‍👧‍👦 🇨🇭',
  '𠮷𡃁 𝔘𝔫𝔦 𐍈 \u{10fffd}',
  'ＡＢＣ１２３ ｶﾀｶﾅ ㎏ ﷺ Ⅳ ⑤',
  '\ufffd \ue000',
].map((name) => name.normalize('NFC'))

/** What is seldom in a name, or not in its composed form. A shop may refuse it, and not change it. */
const unusualNames = [
  'a\bb\fc\vd',
  'a\r\nb\rc\u0085d\u2028e\u2029f',
  between(0x01, 0x1f),
  between(0x7f, 0x9f),
  'a\u00a0b\u2003c\u3000d\u202fe',
  'a\u00adb\u200ec\u200fd\u202ae\u202c\u2060f\u061c',
  'a\ufeffb\ufe0fc\u034fd',
  '\uffff \ufffe \ufdd0',
  `e${'\u0301\u0323\u0308'.repeat(8)}`,
  '\u1100\u1161\u11a8 \u0041\u030a \u2126 \u212a',
  '\u0958 \u2adc \u0344 \ufb1d',
]

/** In characters: where a number of bytes, a column or a buffer may end. */
const lengths = [
  [21, 24, 25, 30, 31, 32, 33, 40, 49, 50, 51, 63, 64, 65, 80, 99, 100, 101, 120, 127, 128, 129, 160],
  [
    191, 200, 250, 254, 255, 256, 257, 500, 511, 512, 513, 1000, 1023, 1024, 1025, 2048, 4095, 4096, 4097, 7168, 8191,
    8192,
  ],
].flat()

/** As clients write JSON that is to be ASCII only. */
function inAscii(name: string): string {
  return JSON.stringify(name).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Adds animals with these names, some at the same time. Each that is added has its name; the others may be refused. */
async function addAll(
  names: readonly string[],
  status: string,
  isRefusable: boolean,
  { shop, stock }: Subject,
  encode: (name: string) => string = JSON.stringify,
) {
  const bodies = await Promise.all(names.map((name) => stock.bodyOf({ name: encode(name), status })))
  const requests = bodies.map((body) => ({ method: 'POST', path: '/pets', body }) as const)
  const left = [...names]
  for await (const made of shop.sendAll(requests)) expectNamed(made, left.shift() ?? '', isRefusable)
  const query = status === '' ? '' : `&status=${JSON.parse(status)}`
  await shop.list(`?limit=100${query}`)
}

function expectNamed(made: Exchange, name: string, isRefusable: boolean): void {
  if (isRefusable && [400, 413].includes(made.response?.status ?? 0)) return
  expectName(made, name)
}

/** The model compares lists and single reads with the 201. */
function rule(id: string, name: string, run: (subject: Subject) => Promise<void>): Check {
  return writes(id, {
    name,
    sentence: says.name,
    conclusion: 'A string of JSON has any characters and any length. Another text is another name.',
    turn: 'many',
    async run(subject) {
      await subject.stock.showFew()
      await run(subject)
      // The model compares them with their 201. As long as a page has them all, it is a large one.
      for (const query of ['', '&status=available', '&status=sold']) await subject.shop.list(`?limit=100${query}`)
    },
  })
}

export const nameFormChecks: readonly Check[] = [
  rule('C-2-19', 'every printable character of ASCII is kept, wherever it is in a name', async (subject) => {
    const { stock } = subject
    await addAll(namesWithMarks(stock), '"available"', false, subject)
    await addAll(
      namesLikeJson.map((end) => `${stock.newName()} ${end}`),
      '"available"',
      false,
      subject,
    )
  }),
  rule('C-2-20', 'letters of every script, symbols and emojis of a name come back the same', async (subject) => {
    const { stock } = subject
    const names = [...namesOfScripts, ...lettersOfEveryBlock()]
    await addAll(
      names.map((end) => `${stock.newName()} ${end}`),
      '"sold"',
      true,
      subject,
    )
    await addAll(
      names.map((end) => `${stock.newName()} ${end}`),
      '',
      true,
      subject,
      inAscii,
    )
    await addAll(
      unusualNames.map((middle) => `${stock.newName()} ${middle}.`),
      '"sold"',
      true,
      subject,
    )
  }),
  rule(
    'C-2-21',
    'a name of 21 to 8,192 characters comes back whole; a shop may refuse more than 100',
    async (subject) => {
      const { stock } = subject
      const named = (length: number, filling: string) => `${stock.newName()} ${filling.repeat(length)}`.slice(0, length)
      const short = lengths.filter((length) => length <= 100)
      await addAll(
        short.map((length) => named(length, 'abcdefghij')),
        '"sold"',
        false,
        subject,
      )
      await addAll(
        lengths.filter((length) => length > 100).map((length) => named(length, 'abcdefghij')),
        '"sold"',
        true,
        subject,
      )
      await addAll(
        [30, 100, 255, 1000, 4000, 7000].map((length) => named(length, 'é日')),
        '"sold"',
        true,
        subject,
      )
    },
  ),
]
