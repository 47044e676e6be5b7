import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readEnvironment } from '../../src/cli/shared/environment.ts'
import { temporaryFolder } from '../support/engines.ts'

test('a .env file may begin with a byte order mark and have lines of Windows', (t) => {
  const read = environmentIn(t, '\uFEFFPETSTORE_PORT=8081\r\nPETSTORE_RATE_LIMIT=7\r\n')

  const { PETSTORE_PORT, PETSTORE_RATE_LIMIT } = read()

  assert.deepEqual([PETSTORE_PORT, PETSTORE_RATE_LIMIT], ['8081', '7'])
})

test('variables that are set win over those of a .env file', (t) => {
  process.env['PETSTORE_PORT'] = '8082'
  const read = environmentIn(t, 'PETSTORE_PORT=8081\n')

  assert.equal(read()['PETSTORE_PORT'], '8082')
})

test('a .env file in another encoding is refused with a sentence', (t) => {
  const read = environmentIn(t, Buffer.from('\uFEFFPETSTORE_PORT=8081\n', 'utf16le'))

  assert.throws(read, { name: 'Failure', message: 'The file .env must be text in UTF-8.' })
})

/** Reads the environment in a folder with this .env file. What it sets is forgotten after the test. */
function environmentIn(t: TestContext, content: string | Buffer): () => NodeJS.ProcessEnv {
  const [before, folder] = [process.cwd(), temporaryFolder(t)]
  writeFileSync(join(folder, '.env'), content)
  process.chdir(folder)
  t.after(() => {
    process.chdir(before)
    for (const name of ['PETSTORE_PORT', 'PETSTORE_RATE_LIMIT']) delete process.env[name]
  })
  return readEnvironment
}
