import { createHash, hash } from 'node:crypto'
import { loopSteps } from '../../inventory/loop-steps.ts'
import { NeedsRoom } from './needs-room.ts'
import type { Exchange } from '../exchange.ts'

/** The JSON of a page, as text or bytes; of a large one its bytes, in parts. */
export interface PageBody {
  body: string | Buffer | readonly Buffer[]
  /** SHA-1, in base64url. */
  digest: string
}

/** In characters: a longer page is encoded in steps. */
const maxTextLength = 128 * 1024
/** In characters, at least, except for the last one. */
const partLength = 64 * 1024
/** Rows, text and bytes of a page, in comparison to its text. */
const bytesPerCharacter = 2

/** The JSON of a list. At once if it is short, otherwise in steps of the event loop: 100 names may have 40 MB. */
export function encodeBody<Item>(
  items: readonly Item[],
  encode: (item: Item) => string,
  exchange: Pick<Exchange, 'response' | 'reservation'>,
): PageBody | Promise<PageBody> {
  let text = '['
  for (let index = 0; index < items.length; index++) {
    const item = encode(items[index] as Item)
    text += index === 0 ? item : `,${item}`
    if (text.length > maxTextLength) {
      // What was read with a reservation has room for its JSON, too.
      if (exchange.response.reservedBytes === 0) {
        const bytes = (bytesPerCharacter * text.length * items.length) / (index + 1)
        if (!exchange.reservation.tryResize(bytes)) throw new NeedsRoom(bytes)
      }
      return encodeInSteps(text, items.slice(index + 1), encode)
    }
  }
  return wholeBodyOf(`${text}]`)
}

/** JSON that is there as a whole. */
export function wholeBodyOf(body: string | Buffer): PageBody {
  return { body, digest: hash('sha1', body, 'base64url') }
}

async function encodeInSteps<Item>(
  start: string,
  items: readonly Item[],
  encode: (item: Item) => string,
): Promise<PageBody> {
  const steps = loopSteps()
  const digest = createHash('sha1')
  const body: Buffer[] = []
  let text = start
  function endPart(): void {
    const part = Buffer.from(text)
    digest.update(part)
    body.push(part)
    text = ''
  }

  for (const item of items) {
    text += `,${encode(item)}`
    if (text.length >= partLength) endPart()
    if (steps.isOver()) await steps.next()
  }
  text += ']'
  endPart()
  return { body, digest: digest.digest('base64url') }
}
