// The last step of `npm run build`: makes the declarations in dist/ work for every `moduleResolution` of TypeScript.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

const dist = new URL('../dist/', import.meta.url)
const commonjs = new URL('commonjs/', dist)

mkdirSync(commonjs)
// CommonJS programs load the same JavaScript by `require(esm)`. TypeScript needs separate declarations for them.
writeFileSync(new URL('package.json', commonjs), '{ "type": "commonjs" }\n')
for (const name of readdirSync(dist).filter((file) => file.endsWith('.d.ts'))) {
  // TypeScript rewrites import extensions in JavaScript only.
  const text = readFileSync(new URL(name, dist), 'utf8').replaceAll(/(?<=(from|import\() ?'\.\/[^']*)\.ts(?=')/g, '.js')
  for (const folder of [dist, commonjs]) writeFileSync(new URL(name, folder), text)
}
