import { StorageError } from './errors.ts'

export type DatabaseUrl =
  /** `path` is `:memory:`, or where the file is. */
  { engine: 'sqlite'; path: string } | { engine: 'postgres'; url: string }

/** Takes a database URL apart: `sqlite:` and a path, `sqlite::memory:`, or `postgres://` with a server and a database. */
export function readDatabaseUrl(url: string): DatabaseUrl {
  if (/^postgres(ql)?:\/\//.test(url) && urlsByHost(url).every((each) => URL.canParse(each))) {
    return { engine: 'postgres', url }
  }
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : ''
  if (path === '') {
    throw new StorageError(`No storage for "${withoutPassword(url)}": use sqlite: and a path, or postgres://.`)
  }
  return { engine: 'sqlite', path }
}

/** The URL of each host of a server URL that names several, separated by commas; all share the rest. */
export function urlsByHost(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^([a-z]+:\/\/(?:[^/]*@)?)([^/?]*)(.*)$/is.exec(url) ?? []
  return hosts.split(',').map((host) => before + host + after)
}

/** A database URL as it may be shown and logged. */
export function withoutPassword(url: string): string {
  return url
    .replace(/^(?!sqlite:)([a-z]+:\/*).*@/i, (credentials, start: string) => {
      const [user = ''] = credentials.slice(start.length, -1).split(':')
      return `${start}${user}@`
    })
    .replace(/([?&]password=)[^&]*/i, '$1…')
}
