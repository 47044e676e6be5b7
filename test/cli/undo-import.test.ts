import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { folderWithDatabase, run } from '../support/service.ts'

const env = { PETSTORE_DATABASE_URL: 'sqlite:./petstore.db' }

test('imports lists what was imported, and undo-import removes what nobody has changed since', async (t) => {
  const cwd = folderWithDatabase(t, 'petstore.db')
  writeFileSync(join(cwd, 'animals.csv'), 'name,categoryId\nRex,1\nTom,2\n,3\n')
  await run(t, ['import', 'animals.csv'], { cwd, env })
  const { pets, close } = await openStorage(`sqlite:${join(cwd, 'petstore.db')}`)
  await pets.update(2n, { name: 'Thomas' })
  await close()

  const listed = await run(t, ['imports'], { cwd, env })
  const [, id = ''] = /^(\w{20}) .* command line +2 +1$/m.exec(listed.stdout) ?? []
  const undone = await run(t, ['undo-import', id], { cwd, env })
  const repeated = await run(t, ['undo-import', id], { cwd, env })

  const stay = '1 animal changed or ordered since stay: 2.'
  assert.equal(undone.stdout, `Removed 1 animal from sqlite:./petstore.db. ${stay}\n`, listed.stdout)
  assert.equal(repeated.stdout, `Removed 0 animals from sqlite:./petstore.db. ${stay}\n`)
  assert.match((await run(t, ['imports'], { cwd, env })).stdout, /command line +2 +1 +2\d{3}-/)
})

test('imports names the database, also if there is none that can be undone', async (t) => {
  const cwd = folderWithDatabase(t, 'petstore.db')
  const none = await run(t, ['imports'], { cwd, env })
  writeFileSync(join(cwd, 'animals.csv'), 'name,categoryId\nRex,1\n')
  await run(t, ['import', 'animals.csv'], { cwd, env })

  const { stdout } = await run(t, ['imports'], { cwd, env })

  assert.equal(none.stdout, 'There are no imports that can be undone in sqlite:./petstore.db.\n')
  assert.match(stdout, /\n\nThe imports of sqlite:\.\/petstore\.db\.\n$/)
})

test('a file whose import was undone is imported anew, and not resumed', async (t) => {
  const cwd = folderWithDatabase(t, 'petstore.db')
  writeFileSync(join(cwd, 'animals.csv'), 'name,categoryId\nRex,1\nTom,2\n')
  await run(t, ['import', 'animals.csv'], { cwd, env })
  const [id = ''] = /^\w{20}/m.exec((await run(t, ['imports'], { cwd, env })).stdout) ?? []
  await run(t, ['undo-import', id], { cwd, env })

  const resumed = await run(t, ['import', 'animals.csv', '--resume'], { cwd, env })
  const again = await run(t, ['import', 'animals.csv'], { cwd, env })

  const sentence = 'petstore: The import of animals.csv was undone: without --resume all its rows are added.\n'
  assert.deepEqual([resumed.code, resumed.stderr], [1, sentence])
  assert.deepEqual([again.code, /\b2 animals/.test(again.stdout)], [0, true], again.stdout + again.stderr)
})

test('undo-import names an import that does not exist', async (t) => {
  const cwd = folderWithDatabase(t, 'petstore.db')

  const { code, stderr } = await run(t, ['undo-import', 'spring'], { cwd, env })

  assert.deepEqual([code, stderr], [1, 'petstore: No import is called "spring": petstore imports lists them.\n'])
})
