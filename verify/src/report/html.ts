import type { Report, Result } from '../run.ts'
import { cleanupLines, countOf, sectionOf, summaryOf } from './counts.ts'
import { escape } from './escape.ts'

const style = `
:root { color-scheme: light dark; --line: light-dark(#d8dee4, #3a4148); --soft: light-dark(#57606a, #9aa4ae);
  --good: light-dark(#1a7f37, #57c26e); --bad: light-dark(#c62828, #ff8a80); --plain: light-dark(#8a6100, #e0b34c);
  --card: light-dark(#f6f8fa, #1d2227) }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem; font: 1rem/1.5 system-ui, sans-serif;
  background: light-dark(#fff, #14181c); color: light-dark(#1f2328, #e6e9ec) }
h1 { font-size: 1.6rem; margin: 0 } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
p { margin: .25rem 0 } .soft { color: var(--soft) }
.counts { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0 }
.counts div { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem 1.1rem }
.counts b { display: block; font-size: 1.5rem; line-height: 1.2 }
ul { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: .5rem; overflow: hidden }
li { padding: .5rem .8rem; border-top: 1px solid var(--line) } li:first-child { border-top: 0 }
.line { display: flex; gap: .7rem; align-items: baseline } .id { flex: 0 0 8.5rem; color: var(--soft); font-size: .9rem }
.mark { font-weight: 700 } .passed { color: var(--good) } .failed { color: var(--bad) } .skipped { color: var(--plain) }
dl { display: grid; grid-template-columns: 5.5rem 1fr; gap: .25rem .7rem; margin: .5rem 0 .25rem 1.6rem }
dt { color: var(--soft); font-size: .9rem } dd { margin: 0; overflow-wrap: anywhere }
code { font: .85rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
@media (max-width: 36rem) { dl { grid-template-columns: 1fr; margin-left: 0 } .id { flex-basis: 4.5rem } }
`

const marks = { passed: '✓', failed: '✗', skipped: '–' }
const titles = { failed: 'Broken', skipped: 'Not judged', passed: 'Held' }
const words = { failed: 'failed', skipped: 'not judged', passed: 'passed' }

/** The report as one page that needs nothing else. */
export function htmlOf(report: Report): string {
  const { url, level, startedAt, seed } = report
  const facts = [`Level ${level}`, startedAt.replace('T', ' ').replace(/\..*/, ' UTC')]
  if (seed !== undefined) facts.push(`seed ${seed}`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Pet store: ${escape(url)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Is this pet store right?</h1>
<p><code>${escape(url)}</code></p>
<p class="soft">${escape(facts.join(' · '))}</p>
<div class="counts">${(['passed', 'failed', 'skipped'] as const)
    .map((outcome) => `<div><b class="${outcome}">${countOf(report, outcome)}</b>${words[outcome]}</div>`)
    .join('')}</div>
<p>${escape(summaryOf(report))}</p>
${cleanupLines(report)
  .map((line) => `<p class="soft">${escape(line)}</p>`)
  .join('\n')}
${(['failed', 'skipped', 'passed'] as const).map((outcome) => group(report, outcome)).join('\n')}
</main>
</body>
</html>
`
}

function group({ results }: Report, outcome: Result['outcome']): string {
  const chosen = results.filter((result) => result.outcome === outcome)
  if (chosen.length === 0) return ''
  return `<h2>${titles[outcome]}</h2>\n<ul>\n${chosen.map(item).join('\n')}\n</ul>`
}

function item(result: Result): string {
  const { id, name, outcome, sentence, conclusion, reason } = result
  const { sent, expected, came, earlierSent, earlierCame } = result
  const line = `<div class="line"><span class="mark ${outcome}" aria-label="${outcome}" role="img">${marks[outcome]}</span><span class="id">${id}</span><span>${escape(name)}</span></div>`
  const rows: [string, string | undefined][] = [
    ['Rule', outcome === 'passed' ? undefined : escape(`${sectionOf(result)}: ${sentence}`)],
    ['So', outcome === 'passed' ? undefined : conclusion && escape(conclusion)],
    ['Reason', reason && escape(reason)],
    ['Sent', sent && `<code>${escape(sent)}</code>`],
    ['Expected', expected && escape(expected)],
    ['Came', came && `<code>${escape(came)}</code>`],
    ['Earlier', earlierSent && `<code>${escape(earlierSent)}</code>`],
    ['Came', earlierCame && `<code>${escape(earlierCame)}</code>`],
  ]
  const shown = rows
    .filter(([, text]) => text !== undefined)
    .map(([title, text]) => `<dt>${title}</dt><dd>${text}</dd>`)
  return `<li>${line}${shown.length === 0 ? '' : `<dl>${shown.join('')}</dl>`}</li>`
}
