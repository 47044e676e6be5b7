import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join, posix } from 'node:path'
import { guidePages } from './guide-pages.ts'

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
  const text = withServedLinks(readFileSync(join(folder, name), 'utf8'))
  const [heading = '', summary = ''] = text.split('\n\n')
  return { path: `/docs/guides/${name}`, title: heading.slice(2), summary: summary.replaceAll('\n', ' '), text }
}

/** Links to files become links to what the service serves: a guide as Markdown, others as pages. The rest is only named. */
function withServedLinks(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\((?!https?:)([^)\s#]+\.md)(#[^)\s]*)?\)/g, (_, title, file, fragment = '') => {
    const source = posix.join('guides', file)
    const page = guidePages.find((one) => one.source === source)
    if (page === undefined) return title
    const address = posix.dirname(source) === 'guides' ? `/docs/${source}` : page.path
    return `[${title}](${address}${fragment})`
  })
}
