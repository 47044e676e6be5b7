import { createHash } from 'node:crypto'

/** A text that the key can be read from, and how a shell makes it of the key. */
export interface KeyForm {
  text: string
  lower: string
  /** How long a part is that is hidden. */
  minHidden: number
  expression: string
  /** What stands for a part of it, from a place on and so many characters long. */
  partOf: (start: number, length: number) => string
}

/** Shorter ones are in other words by chance. */
const minFormLength = 6

/** A part of the key is hidden if it is longer than a third of it and than three characters, always from eight on. */
function shownCharacters(length: number): number {
  return Math.min(length - 1, Math.min(7, Math.max(3, Math.floor(length / 3))))
}

const printed = 'printf %s "$KEY"'
const inOneLine = `base64 | tr -d '\\n'`

/** The forms in which checks send the key, and those in which shops may send it back. The first is the key itself. */
export function formsOf(key: string): KeyForm[] {
  return [
    { ...form(key, '${KEY}'), partOf: (start: number, length: number) => partOfKey(key, start, length) },
    form(key.split('').toReversed().join(''), `$(${printed} | rev)`, 'backwards'),
    form(key.replaceAll(/[^a-z0-9]/gi, ''), '${KEY//[!a-zA-Z0-9]/}', 'without some of its characters'),
    ...['', ':'].map((end) => form(base64(`${key}${end}`), `$(printf %s "$KEY${end}" | ${inOneLine})`)),
    ...[':', 'api:'].map((start) => form(base64(`${start}${key}`), `$(printf %s "${start}$KEY" | ${inOneLine})`)),
    // Where the key begins inside of a longer text decides how its bytes are grouped.
    ...[0, 1, 2].flatMap((before) => {
      const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)])
      return (['base64', 'base64url'] as const).map((name) => form(bytes.toString(name).replace(/.?=*$/, '').slice(2)))
    }),
    form(Buffer.from(key).toString('hex')),
    ...['md5', 'sha1', 'sha256', 'sha512'].flatMap((name) => [
      form(createHash(name).update(key).digest('hex'), `$(${printed} | ${name}sum | cut -d' ' -f1)`),
      form(
        createHash(name).update(key).digest('base64'),
        `$(${printed} | openssl dgst -${name} -binary | ${inOneLine})`,
      ),
    ]),
  ].filter(({ text }, index) => index === 0 || (text.length >= minFormLength && text !== key))
}

function form(text: string, expression?: string, how = 'encoded'): KeyForm {
  return {
    text,
    lower: inLowerCase(text),
    minHidden: shownCharacters(text.length) + 1,
    expression: expression ?? `[the key, ${how}]`,
    partOf: () => `[a part of the key, ${how}]`,
  }
}

function partOfKey({ length: all }: string, start: number, length: number): string {
  if (start === 0 && length === all - 1) return '${KEY%?}'
  if (start === 1 && length === all - 1) return '${KEY#?}'
  return start + length === all ? `\${KEY:${start}}` : `\${KEY:${start}:${length}}`
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** Only letters of ASCII, so that every character keeps its place. */
export function inLowerCase(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
