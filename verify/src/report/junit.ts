import type { Report, Result } from '../run.ts'
import { cleanupLines, countOf, sectionOf } from './counts.ts'
import { escape } from './escape.ts'

/** The report for programs that read the XML of JUnit. */
export function junitOf(report: Report): string {
  const { url, level, startedAt, durationMs, results, unreachable } = report
  const isUnreachable = unreachable !== undefined
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="petstore verify" tests="${results.length}" failures="${countOf(report, 'failed')}" errors="${isUnreachable ? 1 : 0}" time="${seconds(durationMs)}">`,
    `  <testsuite name="${escape(`${level}: ${url}`)}" tests="${results.length}" failures="${countOf(report, 'failed')}" errors="${isUnreachable ? 1 : 0}" skipped="${countOf(report, 'skipped')}" time="${seconds(durationMs)}" timestamp="${startedAt}">`,
    ...results.map(testCase),
    ...(isUnreachable ? [`    <system-err>${escape(unreachable)}</system-err>`] : []),
    `    <system-out>${escape(cleanupLines(report).join('\n'))}</system-out>`,
    '  </testsuite>',
    '</testsuites>',
  ]
  return `${lines.join('\n')}\n`
}

function testCase(result: Result): string {
  const { id, name, sentence, conclusion, outcome, reason = '', sent, expected = '', came, durationMs } = result
  const { earlierSent, earlierCame = '' } = result
  const start = `    <testcase classname="${sectionOf(result)}" name="${escape(`${id} ${name}`)}" time="${seconds(durationMs)}"`
  if (outcome === 'passed') return `${start}/>`
  if (outcome === 'skipped') return `${start}><skipped message="${escape(reason)}"/></testcase>`
  const rule = [`rule: ${sentence}`, ...(conclusion === undefined ? [] : [`so: ${conclusion}`])]
  const facts = [...rule, `sent: ${sent ?? 'nothing'}`, `expected: ${expected}`, `came: ${came ?? ''}`]
  if (earlierSent !== undefined) facts.push(`earlier: ${earlierSent}`, `came: ${earlierCame}`)
  return `${start}><failure message="${escape(`expected ${expected}`)}">${escape(facts.join('\n'))}</failure></testcase>`
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3)
}
