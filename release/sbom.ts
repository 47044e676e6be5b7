import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun } from '../test/support/cache.ts'

interface Sbom {
  serialNumber: string
  metadata: { timestamp: string; tools: unknown; component: { name: string } }
  components: object[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * What is in the service, as CycloneDX. npm lists the packages; what is part of the pages that we serve is added. npm
 * would put a random number and the time in it: they are made of the contents and of the commit.
 */
export function writeSbom(clone: string, locked: string, file: string): void {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']
  const { serialNumber: _random, ...sbom } = JSON.parse(mustRun('npm', args, { cwd: locked })) as Sbom
  const committedAt = Number(mustRun('git', ['-C', clone, 'log', '-1', '--format=%ct']))
  sbom.metadata.timestamp = new Date(committedAt * 1000).toISOString()
  sbom.metadata.component.name = '@petstore/server'
  const bundled = bundledParts(clone)
  sbom.components.push(...bundled.map(component))
  sbom.dependencies[0]?.dependsOn.push(...bundled.map(({ name, version }) => `${name}@${version}`))
  const digest = createHash('sha256').update(JSON.stringify(sbom)).digest('hex')
  // The form of a UUID of version 8, whose digits are ours to choose.
  const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
  writeFileSync(file, `${JSON.stringify({ ...sbom, serialNumber: `urn:uuid:${uuid}` }, undefined, 2)}\n`)
}

interface Part {
  name: string
  version: string
  /** As in a lock file. */
  integrity: string
}

/** The libraries that are in the scripts of our pages, and not installed: of the reference page and of the console. */
export function bundledParts(clone: string): (Part & { licenceFile: string })[] {
  const read = (path: string): unknown => JSON.parse(readFileSync(join(clone, path), 'utf8'))
  const scalar = 'src/http/pages/scalar'
  const { package: name, version, integrity } = read(`${scalar}/origin.json`) as Part & { package: string }
  const { packages } = read('package-lock.json') as { packages: Record<string, Part> }
  const preact = { ...(packages['node_modules/preact'] as Part), name: 'preact' }
  return [
    { name, version, integrity, licenceFile: join(clone, scalar, 'LICENSE') },
    { ...preact, licenceFile: join(clone, 'node_modules/preact/LICENSE') },
  ]
}

function component({ name, version, integrity }: Part): object {
  const content = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    hashes: [{ alg: 'SHA-512', content }],
    licenses: [{ license: { id: 'MIT' } }],
  }
}
