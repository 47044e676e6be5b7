/** A page, or only the bytes of its large texts, if there is no room for them now. */
export type Sized<Page> = { page: Page } | { bytes: number }

/** Whether so many bytes may be read now. */
export type MayRead = (bytes: number) => boolean

/**
 * Reads a page that may have large texts. `read` reads it from one state: it asks for the size of the texts first, and
 * reads none of them if it may not. Room for so many bytes is awaited between two reads, where no state is held. If the
 * page has grown meanwhile, this begins again.
 */
export async function readWithin<Page>(read: (mayRead: MayRead) => Promise<Sized<Page>>): Promise<Page> {
  for (let room = Infinity; ; ) {
    const found = await read((bytes) => bytes <= room)
    if ('page' in found) return found.page
    room = found.bytes
  }
}
