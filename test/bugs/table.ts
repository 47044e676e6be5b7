import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { version } from '../../src/cli/shared/version.ts'
import { catalogue } from '../../src/sandbox/bugs/catalogue.ts'
import { failedChecks, level, startMatrix } from './matrix.ts'
import { numberOf } from './bugs-page.ts'
import { prism } from './tools/prism.ts'
import { properties } from './tools/properties.ts'
import { respect } from './tools/respect.ts'
import { schemathesis } from './tools/schemathesis.ts'
import type { Tool } from './tools/tool.ts'

// `npm run make -- bugs-table` runs tools against bugs and writes docs/bugs-found.md. Names of tools and of bugs choose some,
// after a `--`; by default it runs all tools against all bugs, which takes an hour. `npm run make -- bugs-table -- page` only writes the page.
// Everything stays on 127.0.0.1. What `petstore verify` finds comes from `npm run make -- bugs-matrix`.

const file = fileURLToPath(new URL('found-by-tools.json', import.meta.url))
const page = new URL('../../docs/bugs-found.md', import.meta.url)

/** What a tool found, as it was written down. */
interface Found {
  version: string
  settings: string
  /** What it complains about in an honest shop. */
  falseAlarms: string[]
  /** The names of bugs. */
  bugs: string[]
}

const all: Record<string, () => Tool | undefined> = {
  Prism: prism,
  Respect: respect,
  properties,
  Schemathesis: schemathesis,
}

const foundByVerify: Found = {
  version,
  settings: `\`petstore verify --level ${level}\`; found: a check fails`,
  falseAlarms: [],
  bugs: Object.keys(failedChecks).filter((name) => failedChecks[name]?.length !== 0),
}

/** Runs a tool against these bugs. What it found before of the others stays. */
async function runTool(tool: Tool, chosen: readonly string[], before: readonly string[]): Promise<Found> {
  const ends: (() => unknown)[] = []
  const sandbox = await startMatrix({ after: (end: () => unknown) => ends.push(end) } as never)
  const findingsWith = async (bugs: string[]) => {
    await sandbox.send('default', 'POST /sandbox/reset')
    await sandbox.send('default', 'PUT /sandbox/bugs', bugs)
    return tool.findings(sandbox)
  }
  try {
    const alarms = new Set([...(await findingsWith([])), ...(await findingsWith([]))])
    const bugs: string[] = []
    for (const { name } of catalogue) {
      const isChosen = chosen.includes(name)
      const isFound = isChosen
        ? (await findingsWith([name])).some((finding) => !alarms.has(finding))
        : before.includes(name)
      if (isFound) bugs.push(name)
      if (isChosen) process.stderr.write(`${tool.name}: ${name}: ${isFound ? 'found' : '-'}\n`)
    }
    return { version: tool.version, settings: tool.settings, falseAlarms: [...alarms], bugs }
  } finally {
    tool.end?.()
    for (const end of ends) await end()
  }
}

function readFound(): Record<string, Found> {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Found>) : {}
}

/** In the order of the columns. */
function inOrder(found: Record<string, Found>): Record<string, Found> {
  return Object.fromEntries(
    Object.keys(all).flatMap((name) => (found[name] === undefined ? [] : [[name, found[name]]])),
  )
}

/** The page of what was found. */
export function foundPage(): { now: string; wanted: string } {
  const found = readFound()
  const tools = Object.entries({ verify: foundByVerify, ...found })
  const missing = Object.keys(all).filter((name) => !(name in found))
  const counts = tools.map(([, { bugs }]) => `**${catalogue.filter(({ name }) => bugs.includes(name)).length}**`)
  const wanted = [
    '# What tools find',
    '',
    `Each tool was run against a shop of the [sandbox](testing-against-it.md) with each of the ${catalogue.length} bugs of the`,
    '[catalogue](bugs.md). `npm run make -- bugs-table` does it again and writes this page.',
    '',
    'A finding counts if the tool does not report it in an honest shop. This is no contest: a tool finds what it was made',
    'for. Prism compares single responses with the document, Respect follows the workflows of our Arazzo file, and our',
    'properties send many unusual inputs to few operations. The checks of `verify` were written by people who knew the',
    'contract, not the bugs.',
    '',
    '| tool | version | how it was run | false alarms in an honest shop |',
    '|---|---|---|---|',
    ...tools.map(
      ([name, { version, settings, falseAlarms }]) =>
        `| ${name} | ${version} | ${settings} | ${falseAlarms.length === 0 ? 'none' : falseAlarms.length} |`,
    ),
    ...missing.map((name) => `| ${name} | | was not run for this page | |`),
    '',
    `| bug | kind | difficulty | ${tools.map(([name]) => name).join(' | ')} |`,
    `|---|---|---|${'---|'.repeat(tools.length)}`,
    ...catalogue.map((bug) => {
      const cells = tools.map(([, { bugs }]) => (bugs.includes(bug.name) ? 'found' : ''))
      return `| ${numberOf(bug)} \`${bug.name}\` | ${bug.kind} | ${bug.difficulty} | ${cells.join(' | ')} |`
    }),
    `| **found** | | | ${counts.join(' | ')} |`,
    '',
  ].join('\n')
  return { now: existsSync(page) ? readFileSync(page, 'utf8') : '', wanted }
}

if (import.meta.main) {
  setPriority(constants.priority.PRIORITY_LOW)
  const names = process.argv.slice(2)
  const bugs = catalogue.map(({ name }) => name)
  const chosen = bugs.filter((name) => names.includes(name))
  const tools = Object.keys(all).filter((name) => names.includes(name))
  for (const name of names.length === chosen.length ? Object.keys(all) : tools) {
    const tool = all[name]?.()
    if (tool === undefined) continue
    const result = await runTool(tool, chosen.length === 0 ? bugs : chosen, readFound()[name]?.bugs ?? [])
    const found = inOrder({ ...readFound(), [name]: result })
    writeFileSync(file, `${JSON.stringify(found, undefined, 2)}\n`)
  }
  writeFileSync(page, foundPage().wanted)
}
