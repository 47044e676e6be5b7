import { readFileSync, writeFileSync } from 'node:fs'
import { allChecks } from '../../src/verify/checks/all.ts'

// The table of checks in docs/verify.md. `npm run verify:page` writes it; the text before it is written by hand.

const page = new URL('../../docs/verify.md', import.meta.url)
const heading = '## The checks of the contract\n'

/** The page as it should be. */
export function checksPage(): { now: string; wanted: string } {
  const now = readFileSync(page, 'utf8')
  const rows = allChecks.map(
    ({ id, name, section, sentence, needsWrite }) =>
      `| \`${id}\` | ${name} | ${section} | ${sentence} | ${needsWrite ? 'yes' : ''} |`,
  )
  const table = [
    '| check | the rule | section | what the contract says there | adds animals |',
    '|---|---|---|---|---|',
    ...rows,
  ]
  return { now, wanted: `${now.slice(0, now.indexOf(heading))}${heading}\n${table.join('\n')}\n` }
}

if (import.meta.main) writeFileSync(page, checksPage().wanted)
