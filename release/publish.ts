import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun } from '../test/support/cache.ts'
import { packages } from './build.ts'

/**
 * Publishes the packages of a release with npm. One that is there already with the same bytes is left alone, so that a
 * release that stopped half way can be run again; with other bytes it is a fault.
 */
export function publishPackages(out: string, version: string, channel: string): void {
  for (const name of packages) {
    const file = join(out, `petstore-${name}-${version}.tgz`)
    const published = publishedIntegrity(`@petstore/${name}@${version}`)
    const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
    if (published === integrity) continue
    if (published !== undefined) throw new Error(`@petstore/${name}@${version} was published with other bytes.`)
    mustRun('npm', ['publish', file, '--access=public', `--tag=${channel}`])
  }
}

export interface Manifest {
  name: string
  version: string
  repository?: { url: string }
}

/** Why npm would refuse these packages with a provenance: it compares the repository that each names with the workflow's. */
export function provenanceFault(
  manifests: readonly Pick<Manifest, 'name' | 'repository'>[],
  env: Record<string, string | undefined>,
): string | undefined {
  if (env['NPM_CONFIG_PROVENANCE'] !== 'true') return undefined
  const url = `${env['GITHUB_SERVER_URL']}/${env['GITHUB_REPOSITORY']}`
  const wrong = manifests.find(({ repository }) => repository?.url.replace(/^git\+|\.git$/g, '') !== url)
  if (wrong === undefined) return undefined
  const named = wrong.repository?.url ?? 'no repository'
  return `${wrong.name} names ${named}: with a provenance, repository.url must be git+${url}.git.`
}

function publishedIntegrity(name: string): string | undefined {
  const { status, stdout, stderr } = spawnSync('npm', ['view', name, 'dist.integrity'], { encoding: 'utf8' })
  if (status === 0) return stdout.trim() === '' ? undefined : stdout.trim()
  if (stderr.includes('E404')) return undefined
  throw new Error(`npm cannot tell whether ${name} is published: ${stderr}`)
}
