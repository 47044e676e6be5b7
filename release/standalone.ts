import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { nodeEnvironment, nodeFlags, nodePackages } from '../bin/find-node.js'
import { mustRun } from '../test/support/cache.ts'
import { archiveFolder } from './archive.ts'
import { writeLicences } from './licences.ts'

/** Machines for which there is a folder with Node inside. Windows has no `./petstore`: use npm there. */
export const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'] as const
export type Platform = (typeof platforms)[number]

/**
 * A folder with the manifest of @petstore/server and the part of our lock file that it needs. So what is installed here
 * has the versions and checksums with which everything was tested.
 */
export function lockPackages(clone: string, folder: string): string {
  mkdirSync(folder)
  const { scripts: _scripts, ...manifest } = JSON.parse(readFileSync(join(clone, 'server/package.json'), 'utf8')) as {
    scripts: object
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  for (const name of ['package-lock.json', '.npmrc']) copyFileSync(join(clone, name), join(folder, name))
  mustRun('npm', ['install', '--package-lock-only', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder })
  return folder
}

export interface ProgramFiles {
  clone: string
  /** From `lockPackages`. */
  locked: string
  out: string
  work: string
  /** Of the folder and of its archive. */
  name: string
  platform: Platform
  /** The packed server. */
  server: string
}

/** The service with its packages and its Node, for a machine that has neither npm nor Node: `./petstore serve`. */
export async function archiveProgram({
  clone,
  locked,
  out,
  work,
  name,
  platform,
  server,
}: ProgramFiles): Promise<void> {
  const folder = join(work, name)
  cpSync(locked, folder, { recursive: true })
  const [os, cpu] = platform.split('-') as [string, string]
  // The same packages for every machine, but one: no package has a part that is compiled.
  const target = [`--os=${os}`, `--cpu=${cpu}`, '--libc=glibc']
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  mustRun('npm', ['ci', ...target, ...quiet], { cwd: folder })

  const runtime = join('node_modules', nodePackages[platform] as string)
  writeLicences(clone, folder, join(folder, 'LICENSES.txt'))
  renameSync(join(folder, runtime, 'bin/node'), join(folder, 'node'))
  chmodSync(join(folder, 'node'), 0o755)
  // Links to programs, and a file that has the address from which npm got each package.
  const unneeded = [
    'node_modules/.bin',
    'node_modules/.package-lock.json',
    'package-lock.json',
    'package.json',
    '.npmrc',
  ]
  for (const path of [runtime, ...unneeded]) rmSync(join(folder, path), { recursive: true })
  for (const file of globSync('node_modules/**/*.{map,d.ts,d.mts,d.cts}', { cwd: folder })) rmSync(join(folder, file))
  mustRun('tar', ['-xzf', server, '-C', folder])
  renameSync(join(folder, 'package'), join(folder, 'server'))
  copyFileSync(join(clone, 'LICENSE'), join(folder, 'LICENSE'))
  writeFileSync(join(folder, 'petstore'), launcher(), { mode: 0o755 })
  await archiveFolder(join(out, `${name}.tar.gz`), work, name)
}

/**
 * The program `./petstore`. It works through a symbolic link too, such as /usr/local/bin/petstore. Node is asked for its
 * version first, a few milliseconds: where the system cannot load it, nobody else is left to say why.
 */
export function launcher(): string {
  const settings = Object.entries(nodeEnvironment).map(([name, value]) => `export ${name}="\${${name}-${value}}"\n`)
  return `#!/bin/sh
folder=$(dirname "$(readlink -f "$0")")
"$folder/node" --version >/dev/null || {
  echo 'petstore: Node cannot be loaded here. It needs glibc, libstdc++ and libatomic' \
    '("apt-get install libatomic1 libstdc++6" on Debian and Ubuntu).' >&2
  exit 1
}
${settings.join('')}exec "$folder/node" ${nodeFlags.join(' ')} "$folder/server/dist/src/cli/start.js" "$@"
`
}
