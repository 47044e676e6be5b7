import { execFile, execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type SetName, shopSets } from './catalogue.ts'
import { type Outcome, type Result, type Score, countsByKind, runOf, sectionOf, withSection } from './score-section.ts'
import { languages, type Shop, type WrongShop } from './shop.ts'
import { isInstalled, startShop } from './start.ts'

// `npm run verify:score`: runs `petstore verify --level contract` against every shop, prints each outcome and publishes
// the counts of each set of shops.
// With `--set second`: only that set. With `--held-out`: the author of the checks had not seen the shops.
// With words: only the shops whose name or kind contains one of them, and nothing is written.

/** As many as there are cores where this is run. */
const atOnce = 2
/** Far more than a run takes. A run that is stopped has judged nothing. */
const timeoutMs = 300_000

const { values, positionals: words } = parseArgs({
  options: { set: { type: 'string' }, 'held-out': { type: 'boolean', default: false } },
  allowPositionals: true,
})
const names = (Object.keys(shopSets) as SetName[]).filter((name) => name === (values.set ?? name))
const missing = languages.filter((language) => !isInstalled(language))
if (missing.length > 0) process.stderr.write(`Not installed, so their shops are not run: ${missing.join(', ')}\n`)

const kindOf = (shop: Shop | WrongShop) => ('kind' in shop ? shop.kind : 'right')
const isAsked = (shop: Shop) =>
  words.length === 0 || words.some((word) => shop.name.includes(word) || kindOf(shop) === word)
const queue = names
  .flatMap((set) => [...shopSets[set].right, ...shopSets[set].wrong].map((shop) => ({ set, shop })))
  .filter(({ shop }) => !missing.includes(shop.language) && isAsked(shop))
const total = queue.length
const results: Result[] = []

await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      results.push(await judge(next.set, next.shop))
    }
  }),
)

const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim()
const measured = scoreOf(results)
process.stdout.write(`\n${sectionOf(measured)}\n`)
if (words.length === 0 && missing.length === 0) publish()

/** A run for each set that was asked. */
function scoreOf(some: readonly Result[]): Score {
  const date = new Date().toISOString().slice(0, 10)
  const heldOut = values['held-out']
  const asked = names.map((set) => ({ set, results: some.filter((result) => result.set === set) }))
  return {
    runs: asked.map((part) => runOf({ date, commit, set: part.set, heldOut }, part.results)),
    kinds: Object.fromEntries(asked.map((part) => [part.set, countsByKind(part.results)])),
  }
}

async function judge(set: SetName, shop: Shop | WrongShop): Promise<Result> {
  const running = await startShop(shop)
  const startedAt = performance.now()
  try {
    const outcome = await verify(running.url, running.key)
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10
    process.stdout.write(`${results.length + 1}/${total} ${outcome.padEnd(10)} ${seconds} s  ${shop.name}\n`)
    return { name: shop.name, set, kind: kindOf(shop), outcome, seconds }
  } finally {
    await running.stop()
  }
}

/** By its exit code, as a script of an author would see it. */
function verify(url: string, key: string): Promise<Outcome> {
  const program = resolve(import.meta.dirname, '../../src/cli/start.js')
  const parameters = [program, 'verify', '--url', url, '--key', key, '--level', 'contract', '--bail']
  return new Promise((done) => {
    execFile(process.execPath, parameters, { timeout: timeoutMs, maxBuffer: 1 << 26 }, (error) => {
      done(error === null ? 'certified' : error.code === 1 ? 'accused' : 'not judged')
    })
  })
}

function publish(): void {
  const file = join(import.meta.dirname, 'score.json')
  const earlier = JSON.parse(readFileSync(file, 'utf8')) as Score
  // No names: whoever improves a check learns which kinds of faults are missed, not which shops.
  const score = { runs: [...earlier.runs, ...measured.runs], kinds: { ...earlier.kinds, ...measured.kinds } }
  writeFileSync(file, `${JSON.stringify(score, null, 2)}\n`)
  const page = resolve(import.meta.dirname, '../../docs/verify.md')
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), sectionOf(score)))
}
