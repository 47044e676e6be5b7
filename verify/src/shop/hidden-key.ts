import { formsOf, inLowerCase, type KeyForm } from './key-forms.ts'

/** A piece of a text for a report. */
export interface Piece {
  text: string
  /** Whether it stands for the key or a part of it, as an expression of a shell or in words. */
  isKey: boolean
}

/** A part of a text that stands for a form of the key. */
interface Run {
  start: number
  end: number
  form: KeyForm
}

const escapes =
  /%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\["\\/'$`]|&#\d{1,7};|&#x[0-9a-f]{1,6};|&(?:amp|lt|gt|quot|apos);|[^]/gi
const newSecrets = /\b(pet_(?:live|test|invite)_)\w+|\bwhsec_[\w+/=-]+/g
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** In headers, addresses and JSON. */
const betweenWords = /[\s"'&?=;,]/

const formsByKey = new Map<string, KeyForm[]>()

/**
 * The text without the key, without any part of it that is long enough to help, and without what the key can be read
 * from: in other case, backwards, escaped, encoded, or as a digest.
 */
export function withoutKey(text: string, key: string): Piece[] {
  return inTurn(withoutNewKeys(text, key), (part) =>
    inTurn(hideIn(part.match(escapes) ?? [], key), (rest) => hideIn(rest.split(''), key)),
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

/** Each of `signs` is a character, or an escape that stands for one. */
function hideIn(signs: readonly string[], key: string): Piece[] {
  const all = signs.map(characterOf).join('')
  const pieces: Piece[] = []
  let at = 0
  for (const { start, end, form } of runsIn(all, key)) {
    const raw = signs.slice(start, end).join('')
    const isEscaped = raw.length > end - start
    pieces.push({ text: signs.slice(at, start).join(''), isKey: false })
    pieces.push({ text: isEscaped ? escapedOf(raw, key) : expressionOf(raw, form), isKey: true })
    at = end
  }
  return [...pieces, { text: signs.slice(at).join(''), isKey: false }].filter((piece) => piece.text !== '')
}

/** Of a word that has a long part of the key, the short parts too. */
function runsIn(all: string, key: string): Run[] {
  const forms = formsByKey.get(key) ?? formsOf(key)
  formsByKey.set(key, forms)
  const lower = inLowerCase(all)
  const long = runsOf(forms, lower, 0, all.length)
  const short = forms.slice(0, 1).map((form) => ({ ...form, minHidden: Math.min(2, key.length) }))
  let at = 0
  return long.flatMap((run, index) => {
    const before = runsOf(short, lower, Math.max(at, beginOfWord(all, run.start)), run.start)
    at = Math.min(long[index + 1]?.start ?? all.length, endOfWord(all, run.end))
    return [...before, run, ...runsOf(short, lower, run.end, at)]
  })
}

function beginOfWord(text: string, from: number): number {
  let at = from
  while (at > 0 && !betweenWords.test(text[at - 1] ?? ' ')) at--
  return at
}

function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length && !betweenWords.test(text[at] ?? ' ')) at++
  return at
}

/** From each place on, the longest part of a form. */
function runsOf(forms: readonly KeyForm[], lower: string, from: number, to: number): Run[] {
  const runs: Run[] = []
  for (let at = from; at < to; ) {
    let best: Run | undefined
    for (const form of forms) {
      let end = at + form.minHidden
      if (end > to || !form.lower.includes(lower.slice(at, end))) continue
      while (end < to && form.lower.includes(lower.slice(at, end + 1))) end++
      if (best === undefined || end > best.end) best = { start: at, end, form }
    }
    if (best !== undefined) runs.push(best)
    at = best?.end ?? at + 1
  }
  return runs
}

function expressionOf(found: string, { text, expression, partOf }: KeyForm): string {
  const isWhole = found.length === text.length
  const place = text.indexOf(found)
  if (place !== -1) return isWhole ? expression : partOf(place, found.length)
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

/** One UTF-16 code unit. */
function characterOf(part: string): string {
  if (part.length === 1) return part
  const digits = /^(?:%|\\u|\\x|&#x)([0-9a-f]+)/i.exec(part)?.[1]
  if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16))
  if (part.startsWith('&#')) return String.fromCharCode(Number.parseInt(part.slice(2), 10))
  return part.startsWith('&') ? (entities[part.slice(1, -1).toLowerCase()] ?? '&') : (part[1] ?? '')
}
