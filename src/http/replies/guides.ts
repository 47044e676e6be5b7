import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

export interface Guide {
  /** Its address, relative to that of the service. */
  path: string
  title: string
  /** The first paragraph. */
  summary: string
  text: string
}

const folder = fileURLToPath(new URL('../../../docs/guides/', import.meta.url))
let known: readonly Guide[] | undefined

/** The guides in docs/guides/, read once. None in an installation without them. */
export function guides(): readonly Guide[] {
  return (known ??= existsSync(folder) ? readdirSync(folder).toSorted().filter(isPage).map(readGuide) : [])
}

function isPage(name: string): boolean {
  return name.endsWith('.md')
}

function readGuide(name: string): Guide {
  const text = readFileSync(join(folder, name), 'utf8')
  const [heading = '', summary = ''] = text.split('\n\n')
  return { path: `/docs/guides/${name}`, title: heading.slice(2), summary: summary.replaceAll('\n', ' '), text }
}
