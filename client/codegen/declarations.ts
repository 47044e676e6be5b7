// The last step of `npm run build`: makes the declarations in dist/ work for every `moduleResolution` of TypeScript.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { plainDeclarations } from './plain-declarations.ts'

const dist = new URL('../dist/', import.meta.url)
const commonjs = new URL('commonjs/', dist)

// CommonJS programs have files of their own, whose type is not that of the package.
writeFileSync(new URL('package.json', commonjs), '{ "type": "commonjs" }\n')
for (const name of readdirSync(dist).filter((file) => file.endsWith('.d.ts'))) {
  const text = plainDeclarations(readFileSync(new URL(name, dist), 'utf8'))
  for (const folder of [dist, commonjs]) writeFileSync(new URL(name, folder), text)
}
