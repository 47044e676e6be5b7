import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { globSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../support/engines.ts'
import {
  findPython,
  isAsShown,
  type Language,
  languages,
  prepareProject,
  readersEnvironment,
  readGuide,
  runProgram,
  writeProgram,
} from '../../support/guide.ts'
import { freePort } from '../../support/ports.ts'
import { startCommand, startService } from '../../support/service.ts'

const root = join(import.meta.dirname, '../../..')
const pages = globSync('docs/guides/*.md', { cwd: root })
  // The lesson has a test of its own: test/bugs/mystery.test.ts.
  .filter((page) => !page.endsWith('README.md') && !page.endsWith('finding-bugs.md'))
  .toSorted()
const names: Record<Language, string> = { sh: 'curl', ts: 'TypeScript', py: 'Python' }
const hasPython = findPython() !== undefined

test('the programs of the guides', async (t) => {
  const folder = temporaryFolder(t)
  prepareProject(folder)
  const [{ origin, key }, sandboxUrl] = await Promise.all([startService(t, { args: ['--demo'] }), startSandbox(t)])

  for (const page of pages) {
    const blocks = readGuide(join(root, page))
    for (const language of languages) {
      const own = blocks.filter((block) => block.language === language)
      // All in the folder of one reader, one after another.
      const program = writeProgram(join(folder, basename(page, '.md')), blocks, language)
      const skip = language === 'py' && !hasPython && 'NOT TESTED: there is no python3'
      await t.test(`${page}: the blocks of ${names[language]} print what the page says`, { skip }, async (t) => {
        const [url, ofReader] = page.endsWith('sandbox.md')
          ? [sandboxUrl, `sandbox_guide-${language}`]
          : [`${origin}/v1`, key]
        const env = readersEnvironment(folder, url, ofReader)
        if (page.endsWith('webhooks.md')) Object.assign(env, await startListening(t, url, ofReader))

        const printed = await runProgram(program, language, env)

        assert.ok(own.length > 0)
        const shown = own.filter(({ file }) => file === undefined).map(({ prints }) => prints)
        assert.equal(printed.length, shown.length)
        for (const [index, text] of printed.entries()) {
          const expected = shown[index] ?? ''
          if (!isAsShown(text, expected)) assert.equal(text, expected)
        }
      })
    }
  }

  await t.test('those in TypeScript compile with strict settings', async () => {
    const client = join(root, 'client/src')
    const compilerOptions = {
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      target: 'es2023',
      module: 'nodenext',
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      paths: {
        '@petstore/client': [join(client, 'index.ts')],
        '@petstore/client/sandbox': [join(client, 'sandbox.ts')],
        '@petstore/client/webhooks': [join(client, 'webhooks.ts')],
      },
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*/*.ts'] }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')

    await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(({ stdout }: { stdout: string }) => {
      assert.equal(stdout, '')
    })
  })
})

/** What the reader of the guide to webhooks starts in another terminal. Returns the settings of the receiver. */
async function startListening(t: TestContext, url: string, key: string): Promise<Record<string, string>> {
  const settings = { PORT: String(await freePort()), SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }
  const target = ['--secret', settings.SECRET, '--forward-to', `http://127.0.0.1:${settings.PORT}/`]
  const { child, output } = startCommand(t, ['listen', '--url', url, '--key', key, ...target])
  while (!output.stdout.includes('\n')) await once(child.stdout, 'data')
  return settings
}

async function startSandbox(t: TestContext): Promise<string> {
  const { child, output } = startCommand(t, ['sandbox', '--port', '0', '--json'])
  while (!output.stdout.includes('\n')) await once(child.stdout, 'data')
  return (JSON.parse(output.stdout) as { url: string }).url
}
