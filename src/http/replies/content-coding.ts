import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { qualityOf } from '../request/accept.ts'

// The lowest levels, at once: a page of 20 animals (1.3 kB) takes 18 to 23 µs and becomes 300 bytes. A thread costs more.
const coders = {
  zstd: (body: string | Buffer) => zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: (body: string | Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (body: string | Buffer) => gzipSync(body, { level: 1 }),
} as const

export type Coding = keyof typeof coders

/** In order of preference. */
const codings = Object.keys(coders) as Coding[]

/** Shorter bodies, in characters or bytes, are not coded unless they must be: they fit into one packet anyway. */
const minLength = 1_000
/** Longer bodies are not coded: that would take more than a millisecond. */
const maxLength = 128 * 1024

/** A coding that a client accepts, and wants at least as much as no coding (RFC 9110, 12.5.3). */
export interface AcceptedCoding {
  coding: Coding
  /** The client refuses a body without a coding. */
  isRequired: boolean
}

// Few different headers are ever sent.
const remembered = new Map<string, AcceptedCoding | undefined>()
const maxRemembered = 100

export function acceptedCoding(acceptEncoding: string | undefined): AcceptedCoding | undefined {
  if (acceptEncoding === undefined) return undefined
  if (remembered.has(acceptEncoding)) return remembered.get(acceptEncoding)
  if (remembered.size === maxRemembered) remembered.clear()
  const accepted = negotiate(acceptEncoding)
  remembered.set(acceptEncoding, accepted)
  return accepted
}

function negotiate(acceptEncoding: string): AcceptedCoding | undefined {
  const identity = qualityOf(acceptEncoding, 'identity')
  let best: { coding: Coding; quality: number } | undefined
  for (const coding of codings) {
    const quality = qualityOf(acceptEncoding, coding) ?? 0
    if (quality > (best?.quality ?? 0)) best = { coding, quality }
  }
  if (best === undefined || best.quality < (named(acceptEncoding, identity) ?? 0)) return undefined
  return { coding: best.coding, isRequired: identity === 0 }
}

// `*` is for the codings that are not named. No coding is always accepted, unless `*;q=0` refuses it.
function named(acceptEncoding: string, identity: number | undefined): number | undefined {
  return /(^|,)\s*identity\s*($|[,;])/i.test(acceptEncoding) ? identity : undefined
}

/** The coding of this body for this client. */
export function codingOf(body: string | Buffer, accepted: AcceptedCoding | undefined): Coding | undefined {
  if (accepted === undefined || body.length > maxLength) return undefined
  return accepted.isRequired || body.length >= minLength ? accepted.coding : undefined
}

export function encodeWith(coding: Coding, body: string | Buffer): Buffer {
  return coders[coding](body)
}

/** The tag of a coded representation: a strong tag is for one sequence of bytes. */
export function codedTag(etag: string, coding: Coding): string {
  return `${etag.slice(0, -1)}-${coding}"`
}
