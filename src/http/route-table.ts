import type { Route } from './exchange.ts'

/** A path that exists, and its methods. */
export interface KnownPath {
  /** For the header of that name: all methods, sorted. */
  readonly allow: string
  readonly routes: ReadonlyMap<string, Route>
}

export interface Match {
  path: KnownPath
  params: Readonly<Record<string, string>>
}

export type RouteTable = ReturnType<typeof routeTable>

/** A pattern with parameters, by segments. */
interface Pattern {
  segments: readonly string[]
  path: KnownPath
}

const noParameters = Object.freeze({})

/**
 * Finds the route of a path. A path without parameters comes first, with all its methods: /pets/import has none of the
 * methods of /pets/:petId.
 */
export function routeTable(routes: readonly Route[]) {
  const fixed = new Map<string, KnownPath>()
  const patterns: Pattern[] = []
  for (const [path, own] of Map.groupBy(routes, (route) => route.path)) {
    const methods = new Map(own.map((route) => [route.method as string, route]))
    const get = methods.get('GET')
    if (get !== undefined) methods.set('HEAD', get)
    const known = { routes: methods, allow: [...methods.keys(), 'OPTIONS'].toSorted().join(', ') }
    if (path.includes(':')) patterns.push({ segments: path.split('/'), path: known })
    else fixed.set(path, known)
  }

  /** `path` can be decoded. Escapes are decoded once, and %2F is no slash. */
  function find(path: string): Match | undefined {
    const known = fixed.get(path)
    if (known !== undefined) return { path: known, params: noParameters }
    const segments = decodedSegments(path)
    if (path.includes('%') && !segments.some((segment) => segment.includes('/'))) {
      const decoded = fixed.get(segments.join('/'))
      if (decoded !== undefined) return { path: decoded, params: noParameters }
    }
    for (const pattern of patterns) {
      const params = paramsOf(pattern.segments, segments)
      if (params !== undefined) return { path: pattern.path, params }
    }
    return undefined
  }

  return find
}

/** Whether a path is that of the API, known or not. */
export function isInApi(path: string): boolean {
  return path.includes('%') ? decodedSegments(path)[1] === 'v1' : path === '/v1' || path.startsWith('/v1/')
}

function decodedSegments(path: string): string[] {
  const segments = path.split('/')
  return path.includes('%') ? segments.map(decodeURIComponent) : segments
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (let index = 0; index < pattern.length; index++) {
    const expected = pattern[index] as string
    const given = segments[index] as string
    const isParameter = expected.startsWith(':')
    if (isParameter ? given === '' : given !== expected) return undefined
    if (isParameter) params[expected.slice(1)] = given
  }
  return params
}
