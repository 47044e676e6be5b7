// A thread that reads the script of the reference page from its package and ends. The package keeps the script, 4 MB,
// as a string in a module: loaded in the process itself, it would hold 75 MB for ever.
import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import fastify from 'fastify'

// The package offers the script by a route only, so it gets a server of its own to be asked through.
const server = fastify()
await server.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
const { rawPayload } = await server.inject('/docs/js/scalar.js')
parentPort?.postMessage({ plain: rawPayload, gzipped: gzipSync(rawPayload) })
