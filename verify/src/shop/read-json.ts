import type { Json, JsonObject } from './json.ts'
import { JsonNumber } from './json.ts'

/** Deeper texts are refused: a reader that calls itself needs stack for each level. */
const maxDepth = 1000

/**
 * Reads JSON with its numbers as they were written. Throws if the text is not JSON, too deep, or says two things of one
 * member. It takes a time that
 * grows with the length only: JSON.parse with a reviver takes twelve seconds for eight megabytes of small numbers.
 */
export function readJson(text: string): Json {
  return new JsonReader(text).readAll()
}

const numbers = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// A string without escapes, with its quotes.
const plainStrings = /"[^"\\\p{Cc}]*"/uy
const spaces = /[ \t\n\r]*/y

/** Inherits nothing, so that `__proto__` is a member like others. Faster than objects without a prototype. */
class Members {
  static {
    Object.setPrototypeOf(Members.prototype, null)
    Reflect.deleteProperty(Members.prototype, 'constructor')
  }
}

class JsonReader {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  readAll(): Json {
    this.#skipSpaces()
    const value = this.#readValue()
    this.#skipSpaces()
    if (this.#at < this.#text.length) this.#fail()
    return value
  }

  #fail(): never {
    throw new SyntaxError(`no JSON at character ${this.#at}`)
  }

  #skipSpaces(): void {
    if (this.#text.charCodeAt(this.#at) > 0x20) return
    spaces.lastIndex = this.#at
    spaces.test(this.#text)
    this.#at = spaces.lastIndex
  }

  /** Whether the text goes on with this character, which is then read, with the spaces after it. */
  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    this.#skipSpaces()
    return true
  }

  #readValue(): Json {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#nested(() => this.#readObject())
      case '[':
        return this.#nested(() => this.#readArray())
      case '"':
        return this.#readString()
      case 't':
        return this.#readWord('true', true)
      case 'f':
        return this.#readWord('false', false)
      case 'n':
        return this.#readWord('null', null)
      default:
        return new JsonNumber(this.#match(numbers) ?? this.#fail())
    }
  }

  #nested<Value>(read: () => Value): Value {
    if (++this.#depth > maxDepth) this.#fail()
    this.#at++
    this.#skipSpaces()
    const value = read()
    this.#depth--
    return value
  }

  #readObject(): JsonObject {
    const object = new Members() as JsonObject
    if (this.#text[this.#at] !== '}')
      do {
        const name = this.#readString()
        this.#skipSpaces()
        if (!this.#take(':')) this.#fail()
        const value = this.#readValue()
        // Which of two values counts, no reader can be sure of: RFC 8259, section 4.
        if (name in object && JSON.stringify(object[name]) !== JSON.stringify(value)) this.#fail()
        object[name] = value
        this.#skipSpaces()
      } while (this.#take(','))
    this.#end('}')
    return object
  }

  #readArray(): Json[] {
    const array: Json[] = []
    if (this.#text[this.#at] !== ']')
      do {
        array.push(this.#readValue())
        this.#skipSpaces()
      } while (this.#take(','))
    this.#end(']')
    return array
  }

  #end(character: string): void {
    if (this.#text[this.#at++] !== character) this.#fail()
  }

  #readString(): string {
    const plain = this.#match(plainStrings)
    if (plain !== undefined) return plain.slice(1, -1)
    const start = this.#at
    if (this.#text[start] !== '"') this.#fail()
    do {
      this.#at = this.#text.indexOf('"', this.#at + 1)
      if (this.#at === -1) this.#fail()
    } while (this.#isEscaped(start))
    this.#at++
    return JSON.parse(this.#text.slice(start, this.#at)) as string
  }

  /** Whether an odd number of backslashes is before this character, in the string that begins at `start`. */
  #isEscaped(start: number): boolean {
    let first = this.#at
    while (first > start && this.#text[first - 1] === '\\') first--
    return (this.#at - first) % 2 === 1
  }

  #readWord<Word>(word: string, value: Word): Word {
    if (!this.#text.startsWith(word, this.#at)) this.#fail()
    this.#at += word.length
    return value
  }

  /** The text that the expression finds here, which is then read. */
  #match(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at
    if (!expression.test(this.#text)) return undefined
    const start = this.#at
    this.#at = expression.lastIndex
    return this.#text.slice(start, this.#at)
  }
}
