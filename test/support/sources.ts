import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const statement = /^(?:import|export)\s(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gm
const dynamic = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

export interface Source {
  path: string
  text: string
  /** Paths below the root for our own files, names as they are for packages and node's modules. */
  imports: string[]
}

export const sources = sourcesIn('src')
export const clientSources = sourcesIn('client/src')

export function sourcesIn(folder: string, form = /\.ts$/): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => form.test(name))
    .map((name) => readSource(join(folder, name)))
}

function readSource(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  const imports = [...text.matchAll(statement), ...text.matchAll(dynamic)].map(([, target = '']) =>
    target.startsWith('.') ? join(dirname(path), target) : target,
  )
  return { path, text, imports }
}

export function refuseImports(files: readonly Source[], isForbidden: (target: string) => boolean): void {
  const found = files.flatMap(({ path, imports }) => imports.filter(isForbidden).map((target) => `${path} → ${target}`))

  assert.deepEqual(found, [])
}

export function refuseCircles(files: readonly Source[]): void {
  const byPath = new Map(files.map((source) => [source.path, source]))
  const done = new Set<string>()

  function visit(path: string, trail: readonly string[]): void {
    assert.ok(!trail.includes(path), [...trail.slice(trail.indexOf(path)), path].join(' → '))
    if (done.has(path)) return
    for (const target of byPath.get(path)?.imports ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const { path } of files) visit(path, [])
}

export function pathsOf(files: readonly Source[]): string[] {
  return files.map(({ path }) => path)
}
