import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { htmlOf } from '../../verify/src/report/html.ts'
import { junitOf } from '../../verify/src/report/junit.ts'
import { endText, resultText } from '../../verify/src/report/text.ts'
import type { Report, Result } from '../../verify/src/run.ts'

const check = { level: 'contract', section: '4.1', sentence: 'When `limit` is omitted…', durationMs: 12 } as const
const failed: Result = {
  ...check,
  id: 'C-4.1-1',
  name: 'at most 20 animals without a limit',
  conclusion: 'A page is a list.',
  outcome: 'failed',
  sent: `curl -i 'http://shop/v1/pets'`,
  expected: 'at most 20 animals',
  came: '25 animals — 200: [<script>alert(1)</script> & "more"',
  earlierSent: `curl -i 'http://shop/v1/pets?limit=100'`,
  earlierCame: '200: []',
}
const report: Report = {
  url: 'http://shop/v1?a=1&b=<2>',
  level: 'contract',
  startedAt: '2026-11-17T03:00:00.000Z',
  durationMs: 1500,
  cleanupMs: 300,
  requests: 7,
  results: [
    failed,
    { ...check, id: 'C-4.1-2', name: 'a bare array', outcome: 'passed' },
    { ...check, id: 'C-9-1', name: 'removed', outcome: 'skipped', reason: 'not yet' },
  ],
  cleanup: {
    removed: 2,
    left: ['20', '17', '18', '9007199254740993'],
    orders: ['3'],
    keys: ['key_a', 'key_b'],
    notes: ['The shop has no DELETE.'],
  },
}

test('a failed check is printed with the sentence and how the rule follows, what was sent, expected and came', () => {
  const text = stripVTControlCharacters(resultText(failed))

  assert.equal(
    text,
    `✗ C-4.1-1   at most 20 animals without a limit
    contract  section 4.1: When \`limit\` is omitted…
    so        A page is a list.
    sent      curl -i 'http://shop/v1/pets'
    expected  at most 20 animals
    came      25 animals — 200: [<script>alert(1)</script> & "more"
    earlier   curl -i 'http://shop/v1/pets?limit=100'
    came      200: []
`,
  )
  assert.equal(
    stripVTControlCharacters(endText(report)),
    `
2 judged, 1 failed, 1 not judged (7 requests; checks 1.2 s, clean-up 0.3 s).
Removed the 2 animals that were added.
The shop has no DELETE.
Orders cannot be removed. These are closed: 3.
Keys cannot be removed. These are revoked: key_a, key_b.
Still in the shop: 17 to 18, 20, 9007199254740993.
`,
  )
  assert.match(
    endText({ ...report, requireAll: true }),
    /\nA rule that could not be judged is a failure: --require-all\.\n$/,
  )
})

test('the JUnit report has every check, and escapes what came', () => {
  const xml = junitOf(report)

  assert.match(
    xml,
    /<testsuite name="contract: http:\/\/shop\/v1\?a=1&amp;b=&lt;2&gt;" tests="3" failures="1" errors="0" skipped="1" time="1.500"/,
  )
  assert.match(
    xml,
    /name="C-4.1-1 at most 20 animals without a limit" time="0.012"><failure message="expected at most 20 animals">/,
  )
  assert.match(xml, />rule: When `limit` is omitted…\nso: A page is a list\.\nsent: /)
  assert.match(xml, /name="C-4.1-2 a bare array" time="0.012"\/>/)
  assert.match(xml, /name="C-9-1 removed" time="0.012"><skipped message="not yet"\/>/)
  assert.match(xml, /&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; &quot;more&quot;/)
})

test('a shop that cannot be reached is an error of the JUnit report', () => {
  assert.match(
    junitOf({ ...report, unreachable: 'It <hangs>.' }),
    /errors="1"[^]*<system-err>It &lt;hangs&gt;\.<\/system-err>/,
  )
})

test('the HTML report is one page without scripts and without anything from elsewhere', () => {
  const html = htmlOf(report)

  assert.match(html, /default-src 'none'; style-src 'unsafe-inline'/)
  assert.match(html, /light-dark\(/)
  assert.match(html, /&lt;script&gt;alert/)
  assert.match(
    html,
    /<dt>Rule<\/dt><dd>section 4\.1: When `limit` is omitted…<\/dd><dt>So<\/dt><dd>A page is a list\.<\/dd>/,
  )
  assert.ok(!/<script|<link|<img|src=|url\(/.test(html))
  for (const { id, name } of report.results) assert.ok(html.includes(id) && html.includes(name))
})
