import { readlinkSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StorageError } from './errors.ts'

/** As many as Linux follows. */
const maxLinks = 40

export type DatabaseUrl =
  /** `path` is a file path, or `:memory:`. A symbolic link is followed: SQLite puts its logs beside the file itself. */
  { engine: 'sqlite'; path: string } | { engine: 'postgres'; url: string }

/** Parses a database URL: `sqlite:` and a path, `sqlite::memory:`, or `postgres://` with a server and a database. */
export function readDatabaseUrl(url: string): DatabaseUrl {
  if (/^postgres(ql)?:\/\//.test(url) && urlsByHost(url).every((each) => URL.canParse(each))) {
    return { engine: 'postgres', url }
  }
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : ''
  if (path === '') {
    throw new StorageError(`No storage for "${withoutPassword(url)}": use sqlite: and a path, or postgres://.`)
  }
  return { engine: 'sqlite', path: followLink(path) }
}

/** The same URL, of the file itself if its path is a symbolic link now: it may be changed later. */
export function followDatabaseUrl(url: string): string {
  const database = readDatabaseUrl(url)
  return database.engine === 'sqlite' ? `sqlite:${database.path}` : url
}

/** The target of a symbolic link, also if it is not there yet. Other paths stay as they are. */
function followLink(path: string, depth = 0): string {
  const target = targetOf(path)
  if (target === undefined) return path
  if (depth === maxLinks) throw new StorageError(`The symbolic link ${path} leads to itself.`)
  return followLink(resolve(realpathSync(dirname(path)), target), depth + 1)
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined // Not a link, or not there.
  }
}

/** The URL of each host of a URL that names several hosts, separated by commas. */
export function urlsByHost(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^([a-z]+:\/\/(?:[^/]*@)?)([^/?]*)(.*)$/is.exec(url) ?? []
  return hosts.split(',').map((host) => before + host + after)
}

/** A database URL that is safe to show and log. */
export function withoutPassword(url: string): string {
  return url
    .replace(/^(?!sqlite:)([a-z]+:\/*).*@/i, (credentials, start: string) => {
      const [user = ''] = credentials.slice(start.length, -1).split(':')
      return `${start}${user}@`
    })
    .replace(/([?&]password=)[^&]*/i, '$1…')
}
