import type { Caller } from '../../../inventory/caller.ts'

/** A page, or only the bytes of its large texts, if there is no room for them now. */
export type Sized<Page> = { page: Page } | { bytes: number }

/** Whether so many bytes may be read now. */
export type MayRead = (bytes: number) => boolean

/**
 * Reads a page that may have large texts. `read` reads it from one state: it asks for the size of the texts first, and
 * reads none of them if there is no room for them. Then the room is awaited, while no state is held, and the page is
 * read again; it may have grown meanwhile. `isNext`: it has its room, so it comes before reads that have none.
 */
export async function readWithin<Page>(
  caller: Caller | undefined,
  read: (mayRead: MayRead, isNext: boolean) => Promise<Sized<Page>>,
): Promise<Page> {
  for (let isNext = false; ; isNext = true) {
    const found = await read((bytes) => caller?.tryReserve(bytes) ?? true, isNext)
    if ('page' in found) return found.page
    await caller?.reserve(found.bytes)
  }
}

/** Texts of so many bytes have to wait for room. */
class NeedsRoom extends Error {
  override readonly name = 'NeedsRoom'
  readonly textBytes: number

  constructor(textBytes: number) {
    super('The texts have to wait for memory.')
    this.textBytes = textBytes
  }
}

/**
 * Runs reads that hold a state. They get a caller who never waits for room: instead they are given up, and repeated when
 * there is room.
 */
export async function holdWithin<Result>(
  caller: Caller | undefined,
  read: (caller: Caller | undefined, isNext: boolean) => Promise<Result>,
): Promise<Result> {
  if (caller === undefined) return read(undefined, false)
  const inState: Caller = {
    id: caller.id,
    get signal() {
      return caller.signal
    },
    get waiting() {
      return caller.waiting ?? { leftMs: Infinity }
    },
    tryReserve: (textBytes) => caller.tryReserve(textBytes),
    reserve: (textBytes) => Promise.reject(new NeedsRoom(textBytes)),
  }
  for (let isNext = false; ; isNext = true) {
    try {
      return await read(inState, isNext)
    } catch (error) {
      if (!(error instanceof NeedsRoom)) throw error
      await caller.reserve(error.textBytes)
    }
  }
}
