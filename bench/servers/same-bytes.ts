import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files of a folder, without `.json`. */
export const answerNames = ['list', 'status', 'page', 'hundred', 'one'] as const

/** Answers that are ready to be sent: what the columns that look nothing up have in common. */
export function sameBytes(folder: string): { one: Buffer; answerTo(url: string): Buffer } {
  const [list, status, page, hundred, one] = answerNames.map((name) => readFileSync(join(folder, `${name}.json`))) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  return {
    one,
    answerTo(url) {
      if (url === '/v1/pets') return list
      if (url.startsWith('/v1/pets/')) return one
      if (url.startsWith('/v1/pets?limit=')) return hundred
      return url.startsWith('/v1/pets?status=') ? status : page
    },
  }
}
