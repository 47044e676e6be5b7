/**
 * A text of a server for terminals, XML and web pages: control characters, marks that turn the direction of writing and
 * lone surrogates are escaped as in JSON.
 */
export function printable(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
