/** In bytes. A page of 100 texts up to this size is read at once. */
export const maxInlineBytes = 1_024

/** A text in a statement that reads many rows. Large ones are NULL there, and read one by one. */
export function inlineText(column: string): string {
  return `iif(${isLargeText(column)}, NULL, ${column})`
}

export function isLargeText(column: string): string {
  return `octet_length(${column}) > ${maxInlineBytes}`
}

/** A text of any size, as bytes for `decodeText`: node:sqlite decodes UTF-8 many times slower than Buffer does. */
export function textBytes(text: string): string {
  return `CAST(${text} AS BLOB)`
}

/** Of a damaged row without the text, it is empty. */
export function decodeText(bytes: Uint8Array | null): string {
  return bytes === null ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}
