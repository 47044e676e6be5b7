// A thread that reads the script of the reference page from its package and ends. The package keeps the script, 4 MB,
// as a string in a module: loaded in the process itself, it would hold 75 MB for ever.
import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'

// The package offers the script by a route only. Fastify itself would take another 20 MB.
const routes = new Map()
const server = { route: ({ url, handler }) => routes.set(url, handler) }
scalar(server, { routePrefix: '/docs', configuration: { url: '/openapi.json' } }, () => undefined)
const reply = { header: () => reply, send: (body) => body }
const script = String(routes.get('/docs/js/scalar.js')(undefined, reply))

// Zod, which is part of the script, would try eval(), which the policy of the page blocks. The package has no source map.
const withoutEval = 'globalThis.__zod_globalConfig = { jitless: true };\n'
const plain = Buffer.from(withoutEval + script.replace(/\n\/\/# sourceMappingURL=\S*\s*$/, '\n'))
parentPort?.postMessage({ plain, gzipped: gzipSync(plain) })
