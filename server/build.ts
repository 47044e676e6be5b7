// `npm pack` runs it: makes dist/, the service as JavaScript, because Node strips no types below node_modules. Types
// become white space, so every line and column is that of the source, and nobody needs a source map. dist/ has the
// folders of the repository, so that files find each other as they do there.

import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { plainDeclarations } from '../client/codegen/declarations.ts'
import { renewBundle } from '../src/http/pages/console-bundle.ts'

const root = join(import.meta.dirname, '..')
const dist = join(import.meta.dirname, 'dist')
/** The addresses of our own modules, in `from`, `import`, `import()` and `new URL()`. Both endings have the same length. */
const ownModule = /(?<=\b(?:from|import|new URL)\s*\(?\s*'\.[^'\n]*)\.ts(?=')/g

rmSync(dist, { recursive: true, force: true })
for (const file of globSync(['{bin,src,verify/src}/**/*.*', 'docs/guides/*.md'], { cwd: root })) {
  // What only a checkout runs, or only a compiler reads.
  if (/^bin.(prepare|run)\.js$|^src.cli.(compile|bundle-console)\.js$|\.d\.ts$/.test(file)) continue
  const to = join(dist, file.replace(/\.ts$/, '.js'))
  mkdirSync(dirname(to), { recursive: true })
  if (!/\.[jt]s$/.test(file)) cpSync(join(root, file), to)
  else {
    const text = readFileSync(join(root, file), 'utf8')
    writeFileSync(to, (file.endsWith('.ts') ? stripTypeScriptTypes(text) : text).replaceAll(ownModule, '.js'))
  }
}

// The entry for tests, and the client that it brings, with declarations.
const compiler = join(root, 'node_modules/typescript/bin/tsc')
execFileSync(process.execPath, [compiler, '-p', import.meta.dirname], { stdio: ['ignore', 'inherit', 'inherit'] })
for (const file of globSync('{client,server}/**/*.d.ts', { cwd: dist })) {
  writeFileSync(join(dist, file), plainDeclarations(readFileSync(join(dist, file), 'utf8')))
}

const notice = await renewBundle()
if (notice?.isCurrent === false) throw new Error(notice.sentence)
cpSync(join(root, 'console/dist/bundle.json'), join(dist, 'console/dist/bundle.json'))
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as { version: string }
writeFileSync(join(dist, 'package.json'), `${JSON.stringify({ type: 'module', version })}\n`)
