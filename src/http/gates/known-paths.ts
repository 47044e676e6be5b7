import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PetStoreError } from '../../inventory/errors.ts'
import { mergePatchTypes } from './json-body.ts'
import { pathOf } from '../request/address.ts'

interface KnownPath {
  url: string
  pattern: RegExp
  methods: Set<string>
}

/**
 * The gate for route and method. Fastify knows only "found" or "not found"; this distinguishes a wrong method from a
 * wrong path, before the body is read. Call it before routes are added: it collects them.
 */
export function knownPaths(app: FastifyInstance) {
  const known: KnownPath[] = []

  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.isRefused === true) return
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replace(/:[^/]+/g, '[^/]+')}$`)
    let path = known.find((other) => other.pattern.source === pattern.source)
    if (path === undefined) known.push((path = { url, pattern, methods: new Set(['OPTIONS']) }))
    for (const name of [method].flat()) path.methods.add(name)
  })

  return {
    refuseUnknown(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
      if (!request.is404 && request.routeOptions.config.isRefused !== true) return done()
      // Keeps %2F, which is not a slash for the router either.
      const path = decodeURI(pathOf(request.url))
      const { methods } = known.find(({ url }) => url === path) ?? known.find(({ pattern }) => pattern.test(path)) ?? {}
      if (methods === undefined) return done(new PetStoreError('not_found', 'There is nothing at this path.'))

      const allow = [...methods].toSorted().join(', ')
      reply.header('allow', allow)
      if (request.method === 'OPTIONS') {
        if (methods.has('PATCH')) reply.header('accept-patch', mergePatchTypes)
        if (reply.hasHeader('access-control-allow-origin')) reply.header('access-control-allow-methods', allow)
        reply.code(204).send()
        return
      }
      done(new PetStoreError('method_not_allowed', `This path allows ${allow}.`))
    },

    /**
     * Refuses, at /pets/import, the methods of /pets/:petId, which the router would take for it. Call it after all
     * routes of `scope` are added.
     */
    refuseInherited(scope: FastifyInstance): void {
      for (const { url, methods } of known.filter((path) => !path.url.includes(':'))) {
        const inherited = new Set(known.flatMap(({ pattern, methods: own }) => (pattern.test(url) ? [...own] : [])))
        // Fastify adds HEAD to GET.
        const refused = [...inherited.difference(methods)].filter((method) => method !== 'HEAD')
        if (refused.length === 0) continue
        scope.route({
          method: refused,
          url: url.slice(scope.prefix.length),
          config: { isRefused: true },
          handler: () => undefined,
        })
      }
    },
  }
}
