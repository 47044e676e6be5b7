import { readFileSync, writeFileSync } from 'node:fs'
import { allChecks } from '../../verify/src/checks/all.ts'
import type { Check, Level } from '../../verify/src/shop/check.ts'

// The tables of checks in docs/verify.md. `npm run make -- checks-page` writes them. The text before them is by hand.

const page = new URL('../../docs/verify.md', import.meta.url)
const heading = '## The checks of the contract\n'

/** Those of the contract in the order of its sections. */
function checksOf(level: Level): Check[] {
  const checks = allChecks.filter((check) => check.level === level)
  return level === 'contract' ? checks.toSorted((a, b) => Number(a.section) - Number(b.section)) : checks
}

/** The page as it should be. */
export function checksPage(): { now: string; wanted: string } {
  const now = readFileSync(page, 'utf8')
  const rows = (level: Level) =>
    checksOf(level).map(({ id, name, section, sentence, conclusion = '', needsWrite }) => [
      `\`${id}\``,
      name,
      section,
      sentence,
      ...(level === 'contract' ? [conclusion] : []),
      needsWrite ? 'yes' : '',
    ])
  const wanted = [
    `${now.slice(0, now.indexOf(heading))}${heading}`,
    ...tableOf(['what the contract says there', 'how the rule follows'], rows('contract')),
    '',
    '## The checks of our answers',
    '',
    'The contract is silent here. These are the answers that we give and',
    '[recommend](decisions/0001-answers-where-the-contract-is-silent.md); the section is the one that leaves them open.',
    '',
    ...tableOf(['what we answer'], rows('recommended')),
    '',
    '## The checks of our document',
    '',
    'What our service offers beyond the contract, as its OpenAPI document describes it.',
    '',
    ...tableOf(['what the document says'], rows('full')),
    '',
  ].join('\n')
  return { now, wanted }
}

function tableOf(sources: readonly string[], rows: readonly string[][]): string[] {
  const heading = ['check', 'the rule', 'section', ...sources, 'adds animals']
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heading), `|${'---|'.repeat(heading.length)}`, ...rows.map(line)]
}

if (import.meta.main) writeFileSync(page, checksPage().wanted)
