import assert from 'node:assert/strict'
import { copyFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { asyncApiDocument } from '../../../src/contract/document/asyncapi.ts'
import { openApiDocument } from '../../../src/contract/document/openapi.ts'
import { sandboxOperations } from '../../../src/sandbox/operations.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { redocly } from '../../support/redocly.ts'
import { findTools, skipWithoutTools, toolFile } from '../../support/tools.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

test('the documents pass the linter without an error or a warning: of the service, of the sandbox, and Arazzo', async (t) => {
  if (findTools() === undefined) return t.skip(skipWithoutTools)
  const folder = temporaryFolder(t)
  writeFileSync(`${folder}/openapi.json`, JSON.stringify(openApiDocument()))
  writeFileSync(`${folder}/sandbox.json`, JSON.stringify(openApiDocument({ more: sandboxOperations })))
  copyFileSync(`${root}src/contract/document/arazzo.yaml`, `${folder}/arazzo.yaml`)

  const names = ['openapi.json', 'sandbox.json', 'arazzo.yaml']
  const { code, output } = await redocly(['lint', ...names, '--format=json'], folder)

  // One object for each document, without a separator.
  const results = JSON.parse(`[${output.replaceAll(/^\}\{$/gm, '},{')}]`) as { totals: object; problems: unknown[] }[]
  assert.equal(results.length, names.length)
  for (const { totals, problems } of results) {
    assert.deepEqual(problems, [])
    assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 })
  }
  assert.equal(code, 0)
})

/** What is used of `@asyncapi/parser`. */
interface Parsers {
  default: {
    Parser: new () => {
      parse(text: string): Promise<{ document?: { version(): string }; diagnostics: { code: string | number }[] }>
    }
  }
}

for (const [which, made] of [
  ['the document', asyncApiDocument()],
  ['the document of a deployment without events', asyncApiDocument({ minStability: 'stable', baseUrl: '/v1' })],
] as const) {
  test(`${which} is AsyncAPI 3.0 without an error or a warning, by the official parser`, async (t) => {
    if (findTools() === undefined) return t.skip(skipWithoutTools)
    const entry = pathToFileURL(toolFile('@asyncapi/parser/cjs/index.js')).href
    const { Parser } = ((await import(entry)) as Parsers).default

    const { document, diagnostics } = await new Parser().parse(JSON.stringify(made))

    assert.equal(document?.version(), '3.0.0')
    // 3.0.0 is what tools can read; 3.1.0 adds nothing that we use.
    assert.deepEqual(
      diagnostics.filter(({ code }) => code !== 'asyncapi-latest-version'),
      [],
    )
  })
}
