import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun } from '../test/support/cache.ts'
import { archiveCommit } from './archive.ts'
import { writeSbom } from './sbom.ts'
import { archiveProgram, lockPackages, type Platform } from './standalone.ts'

export const packages = ['client', 'server', 'verify'] as const

/**
 * Makes the files of a release from a commit, in a new clone below `work`, and returns their folder. It takes nothing
 * else of this machine but git, tar, npm and the packages of the lock file.
 */
export async function buildRelease(
  root: string,
  commit: string,
  work: string,
  platforms: readonly Platform[],
): Promise<string> {
  const clone = join(work, 'petstore')
  const out = join(work, 'out')
  mkdirSync(out, { recursive: true })
  mustRun('git', ['clone', '--quiet', '--no-checkout', root, clone])
  mustRun('git', ['-C', clone, 'checkout', '--quiet', '--detach', commit])
  const npm = (cwd: string, ...args: string[]) => mustRun('npm', args, { cwd, maxBuffer: 64 * 1024 * 1024 })
  const start = performance.now()
  npm(clone, 'ci', '--no-audit', '--no-fund', '--prefer-offline')
  const seconds = Math.round((performance.now() - start) / 1000)
  const installed = join(clone, 'node_modules')
  const count = (readFileSync(join(installed, '.package-lock.json'), 'utf8').match(/^ {4}"node_modules/gm) ?? []).length
  const size = (Number.parseInt(mustRun('du', ['-sk', installed]), 10) / 1024).toFixed(1)
  process.stdout.write(`release: npm ci installs ${count} packages, ${size} MB, in ${seconds} s\n`)
  const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')) as { version: string }

  for (const name of packages) npm(join(clone, name), 'pack', '--pack-destination', out)
  const locked = lockPackages(clone, join(work, 'locked'))
  writeSbom(clone, locked, join(out, 'sbom.cdx.json'))
  for (const platform of platforms) {
    const name = `petstore-${version}-${platform}`
    await archiveProgram({ clone, locked, out, work, name, platform, server: join(out, serverFile(version)) })
  }
  copyFileSync(join(work, `petstore-${version}-${platforms[0]}`, 'LICENSES.txt'), join(out, 'LICENSES.txt'))
  await archiveCommit(join(out, `petstore-${version}-image-context.tar.gz`), clone, imageContext(clone))
  writeFileSync(join(out, 'NOTES.md'), releaseNotes(readFileSync(join(clone, 'CHANGELOG.md'), 'utf8'), version))
  writeFileSync(join(out, 'SHA256SUMS'), checksums(out))
  return out
}

export const serverFile = (version: string) => `petstore-server-${version}.tgz`

/** What CHANGELOG.md says about a version, without its heading. */
export function releaseNotes(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find((text) => text.startsWith(`${version}\n`))
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}".`)
  return `${section.slice(version.length).trim()}\n`
}

/** In the form that `sha256sum --check` reads. */
export function checksums(folder: string): string {
  const sum = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  const files = readdirSync(folder).filter((name) => name !== 'SHA256SUMS')
  return files
    .toSorted()
    .map((name) => `${sum(name)}  ${name}\n`)
    .join('')
}

/** What deploy/Dockerfile needs: it, and what its .dockerignore lets through. */
function imageContext(clone: string): string[] {
  const ignore = readFileSync(join(clone, 'deploy/Dockerfile.dockerignore'), 'utf8')
  const allowed = ignore.split('\n').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
  return ['deploy/Dockerfile', 'deploy/Dockerfile.dockerignore', ...allowed]
}
