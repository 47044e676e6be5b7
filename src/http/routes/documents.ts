import { openApiDocument, type OpenApiOptions } from '../../contract/document/openapi.ts'
import { llmsText } from '../../contract/document/llms-text.ts'
import { addVary } from '../replies/json-reply.ts'
import { baseAddress } from '../replies/base-address.ts'
import { sendFile, type StaticFile, staticFile } from '../replies/static-file.ts'
import type { App } from '../fastify-types.ts'

/**
 * Documents for programs: the OpenAPI document as JSON and YAML, a page for language models, and the catalog that links
 * to them (RFC 9727). They need no key and contain no animals, so every origin may read them.
 */
export function documentRoutes(app: App, { environment, baseUrls, offer }: Required<OpenApiOptions>): void {
  // Each is created on first use, so that a start does not wait for it.
  const document = once(() => openApiDocument({ environment, baseUrls, offer }))
  const json = once(() => staticFile('application/json', JSON.stringify(document())))
  const llms = once(() => staticFile('text/plain; charset=utf-8', llmsText(document())))
  let yaml: StaticFile | undefined

  async function toYaml(): Promise<StaticFile> {
    const { stringify } = await import('yaml')
    return staticFile('application/yaml', stringify(document(), { aliasDuplicateObjects: false, lineWidth: 120 }))
  }

  app.register(async (open: App) => {
    open.addHook('onRequest', (_request, reply, done) => {
      reply.header('access-control-allow-origin', '*')
      done()
    })
    open.get('/openapi.json', (request, reply) => sendFile(request, reply, json()))
    open.get('/openapi.yaml', async (request, reply) => sendFile(request, reply, (yaml ??= await toYaml())))
    open.get('/llms.txt', (request, reply) => sendFile(request, reply, llms()))
    open.get('/.well-known/api-catalog', (request, reply) => {
      const base = baseAddress(request)
      const root = base.replace(/\/v1$/, '')
      addVary(reply, 'Host')
      reply.header('link', `<${root}/.well-known/api-catalog>; rel="api-catalog"`)
      return sendFile(request, reply, staticFile(catalogType, JSON.stringify(catalog(base, root))))
    })
  })
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

const catalogType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

function catalog(base: string, root: string): object {
  return {
    linkset: [
      {
        anchor: base,
        'service-desc': [
          { href: `${root}/openapi.json`, type: 'application/json' },
          { href: `${root}/openapi.yaml`, type: 'application/yaml' },
        ],
        'service-doc': [
          { href: `${root}/docs`, type: 'text/html' },
          { href: `${root}/llms.txt`, type: 'text/plain' },
        ],
        status: [{ href: `${root}/readyz`, type: 'application/json' }],
      },
    ],
  }
}
