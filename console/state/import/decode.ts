/** Encodings that a file can be read in. Those after UTF-16 cannot be told apart: a person has to look. */
export const encodings = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, big-endian',
  'windows-1252': 'Windows-1252 (Western Europe)',
  'windows-1250': 'Windows-1250 (Central Europe)',
  'windows-1251': 'Windows-1251 (Cyrillic)',
  macintosh: 'Mac OS Roman',
} as const
export type Encoding = keyof typeof encodings

/** The file cannot be imported. The message says why, as a sentence. */
export class InvalidFile extends Error {}

/** A part of the file that is not text in this encoding. */
export class WrongEncoding extends Error {}

/** Decoding and cutting a piece takes about a millisecond. */
const pieceBytes = 64 * 1024
/** The page stays usable meanwhile. */
const maxStepMs = 12

/** By the byte order mark. Undefined without one: then it is UTF-8, or one of those that cannot be told apart. */
export function markedEncoding(start: Uint8Array): Encoding | undefined {
  const [first, second] = start
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

/** Throws an InvalidFile for what a shop may take for text. */
export function refuseWorkbook(start: Uint8Array): void {
  const digits = Array.from(start.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (digits === '504b0304' || digits === 'd0cf11e0')
    throw new InvalidFile('This is a workbook, not text. Open it in its program and save it as CSV first.')
}

/**
 * The text of a file, without a byte order mark, in small pieces: a large file is never in memory as a whole. Lines that
 * end with CR, as Excel for the Mac can save them, end with LF. Throws a WrongEncoding, or an InvalidFile if the file
 * cannot be read.
 */
export async function* decodedText(
  file: Blob,
  encoding: Encoding,
  signal?: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let isOldMac: boolean | undefined
  const decode = (bytes?: Uint8Array) => {
    try {
      const text = decoder.decode(bytes, { stream: bytes !== undefined })
      isOldMac ??= /\r[^\n]/.test(text) && !text.includes('\n')
      return isOldMac ? text.replaceAll('\r', '\n') : text
    } catch {
      throw new WrongEncoding()
    }
  }
  const reader = file.stream().getReader()
  let stepStart = performance.now()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(unreadable)
      if (done) break
      for (let at = 0; at < value.length; at += pieceBytes) {
        signal?.throwIfAborted()
        yield decode(value.subarray(at, at + pieceBytes))
        if (performance.now() - stepStart < maxStepMs) continue
        await new Promise((resolve) => void setTimeout(resolve))
        stepStart = performance.now()
      }
    }
    yield decode()
  } finally {
    // Not awaited: the rest of the file does not matter.
    reader.cancel().catch(() => undefined)
  }
}

function unreadable(): never {
  throw new InvalidFile('The file cannot be read any more: it was changed or removed. Choose it again.')
}
