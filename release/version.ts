import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// The version stands in package.json. npm runs this after `npm version 1.2.3 --no-git-tag-version`: it writes the version
// to where others read it. A test fails if one of them is missing or has another.

const manifest = /(?<="version": ")[^"]+/
const packedFile = /(?<=petstore-(?:client|server|verify)-)\d[\w.-]*(?=\.tgz)/g

/** What to replace in each file. */
export const places: Record<string, RegExp> = {
  'client/package.json': manifest,
  'server/package.json': manifest,
  'verify/package.json': manifest,
  'client/src/version.ts': /(?<=version = ')[^']+/,
  'deploy/helm/petstore/Chart.yaml': /(?<=^appVersion: ).+/m,
  'client/README.md': packedFile,
  'docs/guides/README.md': packedFile,
  'docs/testing-against-it.md': packedFile,
  'docs/verify.md': packedFile,
  'docs/first-five-minutes.md': /(?<=petstore-client-|Pet Store )\d[\w.-]*(?=\.tgz| ·)/g,
}

export function spreadVersion(root: string): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  for (const [path, pattern] of Object.entries(places)) {
    const text = readFileSync(join(root, path), 'utf8')
    writeFileSync(join(root, path), text.replace(pattern, version))
  }
}

if (import.meta.main) spreadVersion(join(import.meta.dirname, '..'))
