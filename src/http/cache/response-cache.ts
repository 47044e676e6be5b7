import type { Gate, Reply } from '../exchange.ts'
import { acceptedCoding } from '../replies/content-coding.ts'
import { encodeReply, type EncodedReply } from '../replies/send.ts'
import type { ReceivedRequest } from '../request/received-request.ts'
import { seenBefore } from './seen-before.ts'
import type { VersionedCache } from './versioned-cache.ts'

const maxCachedBytes = 8 * 1024 * 1024
/** A larger response is not cached: it would drop all others. */
const maxResponseBytes = maxCachedBytes / 8
/** In characters. Addresses are cached too, and a client can make them long. */
const maxKeyLength = 256

/**
 * The step that replies from memory. It comes after every gate that could refuse the request, and before its input is
 * checked: the same address was valid before. A reply that is asked for again is kept until the next commit. The
 * headers of the request that has it sent again (its id, CORS, limits) are added to it.
 */
export function replyFromCache(cache: VersionedCache): Gate {
  const replies = cache.section<EncodedReply>('responses', maxCachedBytes, ({ body }) => body.length + 500)
  const isSeenBefore = seenBefore()

  return ({ request, findings }) => {
    if (findings.route?.isCached !== true || !isPlain(request)) return undefined
    const key = keyOf(request)
    const cached = replies.get(key)
    if (cached !== undefined) return cached
    if (!cache.isOn() || key.length > maxKeyLength || !isSeenBefore(key)) return undefined
    // Before the read: what is read later is at least as new.
    const storeReply = replies.reading()
    findings.cacheReply = (reply) => {
      if (isWhole(reply) && reply.body.length <= maxResponseBytes) storeReply(key, encodeReply(reply))
    }
    return undefined
  }
}

/** Whether the reply depends on nothing but the key below. A body has no meaning here, but it has to be read. */
function isPlain({ headers, hasBody }: ReceivedRequest): boolean {
  return headers.prefer === undefined && !hasBody
}

/** All that the reply depends on. */
function keyOf({ headers, base, url }: ReceivedRequest): string {
  const accepted = acceptedCoding(headers['accept-encoding'])
  const address = `${base} ${url}`
  if (accepted === undefined) return address
  return `${accepted.coding}${accepted.isRequired ? '!' : ''} ${address}`
}

function isWhole(reply: Reply): reply is Reply & { body: string | Buffer } {
  return reply.status === 200 && (typeof reply.body === 'string' || Buffer.isBuffer(reply.body))
}
