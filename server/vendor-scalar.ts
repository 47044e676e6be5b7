// `npm run make -- reference -- VERSION` takes the script of the reference page out of `@scalar/api-reference` and writes it to
// src/http/pages/scalar. Only its tarball is fetched: installed, it brings 271 packages and 287 MB for this one file.
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const [version = ''] = process.argv.slice(2)
const target = join(import.meta.dirname, '../src/http/pages/scalar')
const folder = mkdtempSync(join(tmpdir(), 'petstore-scalar-'))
// Zod, which is part of the script, would try eval(), which the policy of the page blocks.
const withoutEval = 'globalThis.__zod_globalConfig = { jitless: true };\n'

try {
  const output = execFileSync('npm', ['pack', '--json', `@scalar/api-reference@${version}`], { cwd: folder })
  const [{ filename, integrity }] = JSON.parse(String(output)) as [{ filename: string; integrity: string }]
  execFileSync('tar', ['xzf', filename], { cwd: folder })
  const script = readFileSync(join(folder, 'package/dist/browser/standalone.js'), 'utf8')
  // The source map is not served.
  const plain = withoutEval + script.replace(/\n\/\/# sourceMappingURL=\S*\s*$/, '\n')
  const gzipped = gzipSync(plain, { level: 9 })
  writeFileSync(join(target, 'standalone.js.gz'), gzipped)
  const origin = { package: '@scalar/api-reference', version, integrity, sha256: hash('sha256', plain) }
  writeFileSync(join(target, 'origin.json'), `${JSON.stringify(origin, undefined, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
