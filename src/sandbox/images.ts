import { type ImageContents, makeImage } from '../storage/sqlite/upkeep/image.ts'
import { demoRows, demoShop } from './demo-shop.ts'
import { linesOf } from './lines.ts'
import { refuseSize, seedReader } from './seed.ts'

/** What shops begin with, as databases. */
export interface Images {
  /** The seed that the sandbox was started with. */
  readonly first: Uint8Array
  readonly empty: Uint8Array
  readonly demo: Uint8Array
}

/** `file` is the text of a seed. */
export async function makeImages(first: 'empty' | 'demo' | { file: Buffer }): Promise<Images> {
  const empty = await makeImage({ rows: {} })
  const demo = await seedImage([Buffer.from(demoShop)], demoRows)
  if (typeof first === 'object') return { first: await seedImage([first.file]), empty, demo }
  return { first: first === 'empty' ? empty : demo, empty, demo }
}

/** The image of a shop with this seed, an NDJSON file. Throws an error that names the line if the seed is invalid. */
export async function seedImage(
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  more: ImageContents['rows'] = {},
): Promise<Uint8Array> {
  const seed = seedReader()
  for await (const line of linesOf(pieces)) seed.read(line)
  return boundedImage({ rows: { ...seed.end(), ...more } })
}

/** Refuses what is too large for a shop. */
export async function boundedImage(contents: ImageContents): Promise<Uint8Array> {
  const image = await makeImage(contents)
  const { pets = [], events = [] } = contents.rows
  refuseSize({ pets: pets.length, events: events.length, bytes: image.length })
  return image
}
