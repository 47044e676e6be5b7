import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A Node of the machine's own that is too old for the program; undefined if there is none. */
export const oldNode = findOldNode()
export const skipWithoutOldNode =
  oldNode === undefined ? 'NOT TESTED: there is no older Node on this machine' : (false as const)

function findOldNode(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  const nodes = folders.map((folder) => join(folder, 'node')).filter((path) => existsSync(path))
  return nodes.find((path) => {
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', env: { PATH: '' } })
    return Number(/^v(\d+)/.exec(stdout)?.[1]) < 26
  })
}
