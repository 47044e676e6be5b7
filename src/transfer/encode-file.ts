import { loopSteps } from '../inventory/loop-steps.ts'
import type { Page } from '../inventory/page.ts'

/** A file of rows by id. */
export interface RowsFile<Item> {
  /** The beginning of the file. */
  header: string
  /** The page after this id. */
  read(after: bigint): Promise<Page<Item>>
  /** The row of an item, with its line end. */
  encode(item: Item): string | Promise<string>
}

export interface EncodedPart {
  text: string
  /** The number of items in `text`. */
  count: number
}

/** In characters. A part of a file with large rows has fewer items than a page. */
const maxPartLength = 64 * 1024

/**
 * The file, part by part, so that memory does not grow with the number of rows. No transaction stays open: an item that
 * is added or removed meanwhile may be in the file or not. The first part has the header.
 */
export async function* encodeFile<Item extends { id: bigint }>({
  header,
  read,
  encode,
}: RowsFile<Item>): AsyncGenerator<EncodedPart> {
  const steps = loopSteps()
  let text = header
  let count = 0
  let after = 0n
  for (let more = true; more; ) {
    const page = await read(after)
    for (const item of page.items) {
      const row = encode(item)
      text += typeof row === 'string' ? row : await row
      count++
      if (text.length < maxPartLength) continue
      yield { text, count }
      text = ''
      count = 0
      if (steps.isOver()) await steps.next()
    }
    yield { text, count }
    text = ''
    count = 0
    after = page.next ?? page.items.at(-1)?.id ?? after
    more = page.more
  }
}
