/** The preference (RFC 7240) of clients that check the end of an export. */
export const exportEnd = 'export-end'

/**
 * Adds a last line with the number of bytes before it, so that a client can tell a whole file from one that was cut
 * off. (Browsers do not show trailers, and the number of animals is not known before.)
 */
export async function* withEndLine(text: AsyncIterable<string>): AsyncGenerator<string> {
  let bytes = 0
  for await (const part of text) {
    bytes += Buffer.byteLength(part)
    yield part
  }
  yield `{"end":{"bytes":${bytes}}}\n`
}
