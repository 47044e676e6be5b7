import assert from 'node:assert/strict'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { releaseNotes } from '../../release/build.ts'
import { places, spreadVersion } from '../../release/version.ts'
import { temporaryFolder } from '../support/engines.ts'

const root = join(import.meta.dirname, '../..')
const versionsIn = (folder: string) =>
  Object.entries(places).map(([path, pattern]) => {
    const found = readFileSync(join(folder, path), 'utf8').match(new RegExp(pattern, 'gm')) ?? []
    return [path, [...new Set(found)]]
  })
const everywhere = (version: string) => Object.keys(places).map((path) => [path, [version]])

test('every place that names the version has that of package.json', () => {
  assert.deepEqual(versionsIn(root), everywhere(packageJson.version))
})

test('npm version writes the version to every place', (t) => {
  const folder = temporaryFolder(t)
  for (const path of Object.keys(places)) cpSync(join(root, path), join(folder, path))
  writeFileSync(join(folder, 'package.json'), '{ "version": "12.34.5-rc.1" }')

  spreadVersion(folder)

  assert.equal(packageJson.scripts.version, 'node bin/run.js release/version.ts')
  assert.deepEqual(versionsIn(folder), everywhere('12.34.5-rc.1'))
})

test('the notes of a release are its section of CHANGELOG.md, and there is no release without one', () => {
  const changelog = '# Changes\n\nText.\n\n## 1.1.0\n\n- New.\n\n### More\n\n- Else.\n\n## 1.0.0\n\nThe first.\n'

  assert.equal(releaseNotes(changelog, '1.1.0'), '- New.\n\n### More\n\n- Else.\n')
  assert.equal(releaseNotes(changelog, '1.0.0'), 'The first.\n')
  assert.throws(() => releaseNotes(changelog, '1.2.0'), /^Error: CHANGELOG\.md has no section "## 1\.2\.0"\.$/)
  assert.match(releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), packageJson.version), /^- `listPets`/m)
})
