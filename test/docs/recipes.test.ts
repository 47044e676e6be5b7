import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { argumentOf, imageEnvironment } from '../deploy/files.ts'
import { run } from '../support/service.ts'

const page = readFileSync(new URL('../../docs/testing-against-it.md', import.meta.url), 'utf8')
const port = argumentOf('EXPOSE')

interface Recipe {
  jobs?: { test: { steps: { run?: string; env?: Record<string, string> }[] } }
  test?: { services: { command: string[] }[]; variables: Record<string, string> }
  services?: Record<string, { command: string[]; environment?: Record<string, string>; ports?: string[] }>
}
const recipes = [...page.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text = '']) => parse(text) as Recipe)

test('the recipes for CI start the sandbox by its verb, with options that exist, on the port of the image', async (t) => {
  const [github, gitlab, compose, ...others] = recipes
  assert.equal(others.length, 0)
  const { stdout: help } = await run(t, ['sandbox', '--help'])
  const step = github?.jobs?.test.steps.find(({ run: script }) => script?.includes('@petstore/server'))
  const inGitHub = /^npx @petstore\/server (.*) &$/m.exec(step?.run ?? '')?.[1]?.split(' ') ?? []
  const inTestcontainers = /\.withCommand\((\[.*\])\)/.exec(page)?.[1]?.replaceAll("'", '"') ?? '[]'

  for (const command of [
    inGitHub,
    gitlab?.test?.services[0]?.command ?? [],
    compose?.services?.['petstore']?.command ?? [],
    JSON.parse(inTestcontainers) as string[],
  ]) {
    assert.equal(command[0], 'sandbox')
    for (const option of command.filter((word) => word.startsWith('--'))) assert.match(help, new RegExp(`${option} <`))
  }
  for (const address of [
    step?.env?.['PETSTORE_URL'],
    gitlab?.test?.variables['PETSTORE_URL'],
    compose?.services?.['tests']?.environment?.['PETSTORE_URL'],
  ]) {
    assert.equal(new URL(`${address}`).port, port)
    assert.equal(new URL(`${address}`).pathname, '/v1')
  }
  assert.match(page, new RegExp(`withExposedPorts\\(${port}\\)`))
  assert.equal(imageEnvironment['SANDBOX_HOST'], '0.0.0.0')
})
