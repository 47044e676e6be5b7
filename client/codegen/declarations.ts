// The last step of `npm run build`: makes the declarations in dist/ work for every `moduleResolution` of TypeScript.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const dist = new URL('../dist/', import.meta.url)
const commonjs = new URL('commonjs/', dist)

// CommonJS programs have files of their own, whose type is not that of the package.
writeFileSync(new URL('package.json', commonjs), '{ "type": "commonjs" }\n')
for (const name of readdirSync(dist).filter((file) => file.endsWith('.d.ts'))) {
  // TypeScript rewrites import extensions in JavaScript only.
  const text = readFileSync(new URL(name, dist), 'utf8')
    .replaceAll(/(?<=(from|import\() ?'\.\/[^']*)\.ts(?=')/g, '.js')
    // It would make the classes nominal: nobody could write a fake of one.
    .replaceAll(/^ +#private;\n/gm, '')
  for (const folder of [dist, commonjs]) writeFileSync(new URL(name, folder), text)
}
