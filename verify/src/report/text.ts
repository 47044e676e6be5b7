import { styleText } from 'node:util'
import { exitCodeOf, type Report, type Result } from '../run.ts'
import { cleanupLines, countOf, sectionOf, summaryOf } from './counts.ts'

const marks = { passed: '✓', failed: '✗', skipped: '–' }
const sources = { contract: 'contract', recommended: 'advice', full: 'document' }
const colours = { passed: 'green', failed: 'red', skipped: 'yellow' } as const

/** A result as it is printed when its check ends. */
export function resultText(result: Result): string {
  const { id, name, level, outcome, sentence, conclusion, reason } = result
  const { sent, expected, came, earlierSent, earlierCame } = result
  const mark = styleText(colours[outcome], marks[outcome])
  const line = `${mark} ${id.padEnd(9)} ${name}`
  if (outcome === 'skipped') return `${line} ${styleText('dim', `(not judged: ${reason})`)}\n`
  if (outcome === 'passed') return `${line}\n`
  const row = (title: string, text: string | undefined) =>
    text === undefined ? '' : `    ${styleText('dim', title.padEnd(9))} ${text}\n`
  return [
    `${styleText('bold', line)}\n`,
    row(sources[level], `${sectionOf(result)}: ${sentence}`),
    row('so', conclusion),
    row('sent', sent),
    row('expected', expected),
    row('came', came),
    row('earlier', earlierSent),
    row('came', earlierCame),
  ].join('')
}

/** The end of a printed report. */
export function endText(report: Report): string {
  const isGood = exitCodeOf(report) === 0
  const isTooLittle = report.requireAll === true && countOf(report, 'skipped') > 0
  const lines = [
    styleText(isGood ? 'green' : 'red', summaryOf(report)),
    ...cleanupLines(report),
    ...(isTooLittle ? ['A rule that could not be judged is a failure: --require-all.'] : []),
  ]
  return `\n${lines.join('\n')}\n`
}
