import { createHash, hash } from 'node:crypto'
import { type LoopSteps, loopSteps } from '../../inventory/loop-steps.ts'

/** The JSON of a page; of a large one its bytes. */
export interface PageBody {
  body: string | Buffer
  /** SHA-1, in base64url. */
  digest: string
}

/** In characters: a longer page is encoded in steps. */
const maxTextLength = 128 * 1024

/** The JSON of a list. At once if it is short, otherwise in steps of the event loop: 100 names may have 40 MB. */
export function encodeBody<Item>(items: readonly Item[], encode: (item: Item) => string): PageBody | Promise<PageBody> {
  let text = '['
  for (let index = 0; index < items.length; index++) {
    const item = encode(items[index] as Item)
    text += index === 0 ? item : `,${item}`
    if (text.length > maxTextLength) {
      const [start, rest] = [text, items.slice(index + 1)]
      return afterEarlierPages(() => encodeInSteps(start, rest, encode))
    }
  }
  return textBody(`${text}]`)
}

export function textBody(body: string): PageBody {
  return { body, digest: hash('sha1', body, 'base64url') }
}

let lastEnd: Promise<void> = Promise.resolve()

/** One large page at a time: the bytes of all that are asked for together would be in memory at once. */
function afterEarlierPages(encodePage: () => Promise<PageBody>): Promise<PageBody> {
  const page = lastEnd.then(encodePage)
  const end = () => undefined
  lastEnd = page.then(end, end)
  return page
}

async function encodeInSteps<Item>(
  start: string,
  items: readonly Item[],
  encode: (item: Item) => string,
): Promise<PageBody> {
  const steps = loopSteps()
  const digest = createHash('sha1')
  const parts: Buffer[] = []
  let length = 0
  async function add(text: string): Promise<void> {
    const part = Buffer.from(text)
    digest.update(part)
    parts.push(part)
    length += part.length
    if (steps.isOver()) await steps.next()
  }

  await add(start)
  for (const item of items) await add(`,${encode(item)}`)
  await add(']')
  return { body: await concat(parts, length, steps), digest: digest.digest('base64url') }
}

/** `Buffer.concat` in steps: new memory takes its time. */
async function concat(parts: readonly Buffer[], length: number, steps: LoopSteps): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const part of parts) {
    at += part.copy(bytes, at)
    if (steps.isOver()) await steps.next()
  }
  return bytes
}
