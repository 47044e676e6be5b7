import { readFileSync, writeFileSync } from 'node:fs'
import { allChecks } from '../../verify/src/checks/all.ts'
import type { Level } from '../../verify/src/shop/check.ts'

// The tables of checks in docs/verify.md. `npm run make -- checks-page` writes them. The text before them is by hand.

const page = new URL('../../docs/verify.md', import.meta.url)
const heading = '## The checks of the contract\n'

/** The page as it should be. */
export function checksPage(): { now: string; wanted: string } {
  const now = readFileSync(page, 'utf8')
  const rows = (level: Level) =>
    allChecks
      .filter((check) => check.level === level)
      .map(
        ({ id, name, section, sentence, needsWrite }) =>
          `| \`${id}\` | ${name} | ${section} | ${sentence} | ${needsWrite ? 'yes' : ''} |`,
      )
  const wanted = [
    `${now.slice(0, now.indexOf(heading))}${heading}`,
    ...tableOf('what the contract says there', rows('contract')),
    '',
    '## The checks of our answers',
    '',
    'The contract is silent here. These are the answers that we give and',
    '[recommend](decisions/0001-answers-where-the-contract-is-silent.md); the section is the one that leaves them open.',
    '',
    ...tableOf('what we answer', rows('recommended')),
    '',
    '## The checks of our document',
    '',
    'What our service offers beyond the contract, as its OpenAPI document describes it.',
    '',
    ...tableOf('what the document says', rows('full')),
    '',
  ].join('\n')
  return { now, wanted }
}

function tableOf(source: string, rows: readonly string[]): string[] {
  return [`| check | the rule | section | ${source} | adds animals |`, '|---|---|---|---|---|', ...rows]
}

if (import.meta.main) writeFileSync(page, checksPage().wanted)
