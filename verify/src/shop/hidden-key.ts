import { formsOf, inLowerCase, type KeyForm, shownCharacters } from './key-forms.ts'

/** A piece of a text for a report. */
export interface Piece {
  text: string
  /** Whether it stands for the key or a part of it, as an expression of a shell or in words. */
  isKey: boolean
}

/** Characters, and where each begins and ends in the text that they were read from. */
interface Characters {
  all: string
  starts: number[]
  ends: number[]
}

interface Run {
  start: number
  end: number
  expression: string
}

interface Index {
  form: KeyForm
  lower: string
  /** Places in the form by the first characters of a run that is hidden. */
  places: Map<string, number[]>
  size: number
}

const escapes =
  /%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\["\\/'$`]|&#\d{1,7};|&#x[0-9a-f]{1,6};|&(?:amp|lt|gt|quot|apos);|[^]/gi
const newSecrets = /\b(pet_(?:live|test|invite)_)\w+|\bwhsec_[\w+/=-]+/g
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** What ends the words of headers, addresses and JSON. */
const endOfWord = /[\s"'&?=;,]/

/** Of the forms of a key, and of its short parts. */
const indexesByKey = new Map<string, { forms: Index[]; short: Index }>()

/**
 * The text without the key, without any part of it that is long enough to help, and without what the key can be read
 * from: in other case, backwards, escaped, encoded, or as a digest.
 */
export function withoutKey(text: string, key: string): Piece[] {
  return inTurn(withoutNewKeys(text, key), (part) =>
    inTurn(hideIn(part, key, unescaped), (rest) => hideIn(rest, key, asItIs)),
  )
}

/** The secrets of new keys too, whose beginning may be that of the key: a shop sends them once. */
export function withoutNewKeys(text: string, key: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const { 0: secret, 1: prefix = '', index } of text.matchAll(newSecrets)) {
    if (isVariant(secret, key, prefix)) continue
    pieces.push({ text: text.slice(at, index), isKey: false }, { text: '$NEW_KEY', isKey: true })
    at = index + secret.length
  }
  return [...pieces, { text: text.slice(at), isKey: false }].filter((piece) => piece.text !== '')
}

/** Whether a secret begins and ends so much like the key that it was made of it, without what all secrets begin with. */
function isVariant(secret: string, key: string, prefix: string): boolean {
  if (prefix === '' || !inLowerCase(key).startsWith(prefix)) return secret === key
  const [one, other] = [secret, key].map((text) => inLowerCase(text).slice(prefix.length)) as [string, string]
  let [first, last] = [0, 0]
  while (first < one.length && one[first] === other[first]) first++
  while (last < one.length && one.at(-1 - last) === other.at(-1 - last)) last++
  return key.startsWith(secret) || first + last >= Math.min(8, Math.max(1, other.length / 2))
}

function inTurn(pieces: readonly Piece[], hide: (text: string) => Piece[]): Piece[] {
  return pieces.flatMap((piece) => (piece.isKey ? [piece] : hide(piece.text)))
}

/** As one text. */
export function hideKey(text: string, key: string): string {
  return withoutKey(text, key)
    .map((piece) => piece.text)
    .join('')
}

/** Hides the whole key only, in the addresses of a run: their words may be in the key too. */
export function hideWholeKey(text: string, key: string): string {
  return text.replaceAll(key, () => '${KEY}')
}

function hideIn(text: string, key: string, read: (text: string) => Characters): Piece[] {
  const characters = read(text)
  const lower = inLowerCase(characters.all)
  const { forms, short } = indexesOf(key)
  const runs = runsOf(forms, characters.all, lower, 0, lower.length)
  if (runs.length === 0) return [{ text, isKey: false }]
  const all = withRestOfWords(runs, short, characters.all, lower)
  const pieces: Piece[] = []
  let at = 0
  for (const { start, end, expression } of all) {
    const [from, to] = [characters.starts[start] ?? 0, characters.ends[end - 1] ?? 0]
    if (from > at) pieces.push({ text: text.slice(at, from), isKey: false })
    const raw = text.slice(from, to)
    pieces.push({ text: raw.length === end - start ? expression : escapedOf(raw, key), isKey: true })
    at = to
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isKey: false })
  return pieces
}

/** Of a word that has a long part of the key, the short parts too. */
function withRestOfWords(runs: readonly Run[], short: Index, all: string, lower: string): Run[] {
  const found: Run[] = []
  let at = 0
  for (const [index, run] of runs.entries()) {
    let from = run.start
    while (from > at && !endOfWord.test(all[from - 1] ?? ' ')) from--
    found.push(...runsOf([short], all, lower, from, run.start), run)
    const next = runs[index + 1]?.start ?? all.length
    let to = run.end
    while (to < next && !endOfWord.test(all[to] ?? ' ')) to++
    found.push(...runsOf([short], all, lower, run.end, to))
    at = to
  }
  return found
}

function runsOf(indexes: readonly Index[], all: string, lower: string, from: number, to: number): Run[] {
  const runs: Run[] = []
  for (let at = from; at < to; ) {
    let best: Run | undefined
    for (const { form, lower: wanted, places, size } of indexes)
      for (const place of places.get(lower.slice(at, at + size)) ?? []) {
        let length = size
        while (at + length < to && place + length < wanted.length && lower[at + length] === wanted[place + length])
          length++
        if (at + length > to || length <= (best === undefined ? 0 : best.end - best.start)) continue
        best = { start: at, end: at + length, expression: expressionOf(all.slice(at, at + length), form, place) }
      }
    if (best !== undefined) runs.push(best)
    at = best?.end ?? at + 1
  }
  return runs
}

function expressionOf(found: string, { text, expression, partOf }: KeyForm, place: number): string {
  const isWhole = found.length === text.length
  if (found === text.slice(place, place + found.length)) return isWhole ? expression : partOf(place, found.length)
  if (expression !== '${KEY}') return isWhole ? '[the key, encoded]' : '[a part of the key, encoded]'
  if (!isWhole) return '[a part of the key, in other case]'
  if (found === text.toUpperCase()) return '${KEY^^}'
  return found === text.toLowerCase() ? '${KEY,,}' : '[the key, in other case]'
}

function escapedOf(raw: string, key: string): string {
  if (raw === encodeURIComponent(key)) return `$(printf %s "$KEY" | jq -sRr @uri)`
  const isPercent = raw === key.replaceAll(/[^]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
  return isPercent ? `$(printf %s "$KEY" | od -An -v -tx1 | tr -d ' \\n' | sed 's/../%&/g')` : '[the key, escaped]'
}

function indexesOf(key: string): { forms: Index[]; short: Index } {
  const known = indexesByKey.get(key)
  if (known !== undefined) return known
  const forms = formsOf(key)
  const made = {
    forms: forms.map((form) => indexOf(form, shownCharacters(form.text.length) + 1)),
    short: indexOf(forms[0] as KeyForm, Math.min(2, key.length)),
  }
  indexesByKey.set(key, made)
  return made
}

function indexOf(form: KeyForm, size: number): Index {
  const lower = inLowerCase(form.text)
  const places = new Map<string, number[]>()
  for (let at = 0; at + size <= lower.length; at++) {
    const start = lower.slice(at, at + size)
    places.set(start, [...(places.get(start) ?? []), at])
  }
  return { form, lower, places, size }
}

function asItIs(text: string): Characters {
  const starts = Array.from({ length: text.length }, (_, index) => index)
  return { all: text, starts, ends: starts.map((start) => start + 1) }
}

/** Each escape of an address, of JSON and of HTML is the character that it stands for. */
function unescaped(text: string): Characters {
  if (!/[%\\&]/.test(text)) return asItIs(text)
  const characters: Characters = { all: '', starts: [], ends: [] }
  const parts: string[] = []
  for (const { 0: part, index } of text.matchAll(escapes)) {
    parts.push(characterOf(part))
    characters.starts.push(index)
    characters.ends.push(index + part.length)
  }
  return { ...characters, all: parts.join('') }
}

/** One UTF-16 code unit. */
function characterOf(part: string): string {
  if (part.length === 1) return part
  const digits = /^(?:%|\\u|\\x|&#x)([0-9a-f]+)/i.exec(part)?.[1]
  if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16))
  if (part.startsWith('&#')) return String.fromCharCode(Number.parseInt(part.slice(2), 10))
  return part.startsWith('&') ? (entities[part.slice(1, -1).toLowerCase()] ?? '&') : (part[1] ?? '')
}
