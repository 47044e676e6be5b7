/**
 * A text for a terminal: control characters are escaped as in JSON. The name of a key may come from another admin, over
 * HTTP, and must not move the cursor or add lines.
 */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
