import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundledParts } from './sbom.ts'

/** Licences that ask for nothing but their text. Another one is for a person to read. */
const allowed = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'])

/** Writes the licence texts of all that is in the folder of a program, which was installed by npm. */
export function writeLicences(clone: string, folder: string, file: string): void {
  const manifests = globSync('node_modules/{*,@*/*,**/node_modules/*,**/node_modules/@*/*}/package.json', {
    cwd: folder,
  }).toSorted()
  const installed = manifests.map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, path), 'utf8')) as Record<string, string>
    if (!allowed.has(`${license}`)) throw new Error(`${name}@${version} has the licence ${license}: read it first.`)
    return { title: `${name} ${version} (${license})`, text: licenceText(join(folder, dirname(path))) }
  })
  const bundled = bundledParts(clone).map(({ name, version, licenceFile }) => {
    const text = readFileSync(licenceFile, 'utf8')
    if (!text.includes('MIT License'))
      throw new Error(`${name} is no longer under the MIT License: read ${licenceFile}.`)
    return { title: `${name} ${version} (MIT), part of our pages`, text }
  })
  const sections = [...installed, ...bundled].map(({ title, text }) => `${title}\n\n${text.trim()}\n`)
  const heading = 'The Pet Store service is under the Apache License 2.0. It contains:\n'
  writeFileSync(file, [heading, ...sections].join(`\n${'='.repeat(80)}\n`))
}

/** Some packages have no file: then their manifest names the licence, and their page may have more. */
function licenceText(folder: string): string {
  const [file] = globSync('{licen[cs]e,LICEN[CS]E,Licen[cs]e,COPYING}{,.*,-*}', { cwd: folder }).toSorted()
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8')
  const readme = globSync('[Rr][Ee][Aa][Dd][Mm][Ee]*', { cwd: folder }).map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  )
  const section = /^#+ *licen[cs]e.*$[^]*/im.exec(readme.join('\n'))?.[0]
  return section ?? 'The package has no text of its licence.'
}
