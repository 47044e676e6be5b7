// The last step of `npm run build`: makes the declarations in dist/ work for every `moduleResolution` of TypeScript.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** Declarations that every TypeScript can use, and everybody can fake. */
export function plainDeclarations(text: string): string {
  return (
    text
      // TypeScript rewrites import extensions in JavaScript only.
      .replaceAll(/(?<=(from|import\() ?'\.{1,2}\/[^']*)\.ts(?=')/g, '.js')
      // It would make the classes nominal: nobody could write a fake of one.
      .replaceAll(/^ +#private;\n/gm, '')
  )
}

if (import.meta.main) {
  const dist = new URL('../dist/', import.meta.url)
  const commonjs = new URL('commonjs/', dist)
  // CommonJS programs have files of their own, whose type is not that of the package.
  writeFileSync(new URL('package.json', commonjs), '{ "type": "commonjs" }\n')
  for (const name of readdirSync(dist).filter((file) => file.endsWith('.d.ts'))) {
    const text = plainDeclarations(readFileSync(new URL(name, dist), 'utf8'))
    for (const folder of [dist, commonjs]) writeFileSync(new URL(name, folder), text)
  }
}
