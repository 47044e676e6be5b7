import { readFileSync, writeFileSync } from 'node:fs'
import type { Bug } from '../../src/sandbox/bugs/bug.ts'
import { catalogue } from '../../src/sandbox/bugs/catalogue.ts'

// The table in docs/bugs.md. `npm run make -- bugs-page` writes it; the text before it is written by hand.

const page = new URL('../../docs/bugs.md', import.meta.url)
const heading = '## The bugs\n'

/** The page as it should be. */
export function bugsPage(): { now: string; wanted: string } {
  const now = readFileSync(page, 'utf8')
  const wanted = [
    `${now.slice(0, now.indexOf(heading))}${heading}`,
    '| number | bug | what is wrong | the rule | kind | severity | difficulty | how it is found |',
    '|---|---|---|---|---|---|---|---|',
    ...catalogue.map(rowOf),
    '',
  ].join('\n')
  return { now, wanted }
}

export function numberOf({ number }: Pick<Bug, 'number'>): string {
  return `B-${String(number).padStart(2, '0')}`
}

function rowOf(bug: Bug): string {
  const [source, sentence] = bug.breaks
  const found = bug.unfindable === undefined ? bug.found : `${bug.found} Not from outside: ${bug.unfindable}`
  const { name, wrong, kind, severity, difficulty } = bug
  return `| ${[numberOf(bug), `\`${name}\``, wrong, `${source}: ${sentence}`, kind, severity, difficulty, found].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

if (import.meta.main) writeFileSync(page, bugsPage().wanted)
