import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PetStoreError } from '../../inventory/errors.ts'
import { mergePatchTypes } from './json-body.ts'
import { pathOf } from '../request/address.ts'

/**
 * The gate for route and method. Fastify knows only "found" or "not found"; this distinguishes a wrong method from a
 * wrong path, before the body is read. Call it before routes are added: it collects them.
 */
export function knownPaths(app: FastifyInstance) {
  const known: { pattern: RegExp; methods: Set<string> }[] = []

  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replace(/:[^/]+/g, '[^/]+')}$`)
    let path = known.find((other) => other.pattern.source === pattern.source)
    if (path === undefined) known.push((path = { pattern, methods: new Set(['OPTIONS']) }))
    for (const name of [method].flat()) path.methods.add(name)
  })

  return function refuseUnknown(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    if (!request.is404) return done()
    // Keeps %2F, which is not a slash for the router either.
    const path = decodeURI(pathOf(request.url))
    // All of them: /pets/import is also an address of the form /pets/:petId.
    const methods = new Set(known.flatMap(({ pattern, methods: own }) => (pattern.test(path) ? [...own] : [])))
    if (methods.size === 0) return done(new PetStoreError('not_found', 'There is nothing at this path.'))

    const allow = [...methods].toSorted().join(', ')
    reply.header('allow', allow)
    if (request.method === 'OPTIONS') {
      if (methods.has('PATCH')) reply.header('accept-patch', mergePatchTypes)
      if (reply.hasHeader('access-control-allow-origin')) reply.header('access-control-allow-methods', allow)
      reply.code(204).send()
      return
    }
    done(new PetStoreError('method_not_allowed', `This path allows ${allow}.`))
  }
}
