import { readFileSync } from 'node:fs'
import { servedWorkflows } from '../../contract/document/arazzo.ts'
import { asyncApiDocument } from '../../contract/document/asyncapi.ts'
import { openApiDocument, type OpenApiOptions } from '../../contract/document/openapi.ts'
import { llmsText } from '../../contract/document/llms-text.ts'
import type { Exchange, Reply, Route } from '../exchange.ts'
import { fileReply, type StaticFile, staticFile } from '../replies/static-file.ts'
import { openRoute } from '../route.ts'
import { guides } from '../replies/guides.ts'

/** Stands for the base address that a client used, in a document that is made once for all clients. */
const ownAddress = 'https://own-address.invalid/v1'
/** Documents for more addresses than this are made again. */
const maxAddresses = 16

type DocumentOptions = Required<Omit<OpenApiOptions, 'more'>> & Pick<OpenApiOptions, 'more'>

/**
 * Documents for programs: the OpenAPI document as JSON and YAML, the events (AsyncAPI), the workflows (Arazzo), a page for
 * language models, the guides, and the catalog that links to the others (RFC 9727). They need no key and contain no
 * animals, so every origin may read them.
 */
export function documentRoutes({ environment, baseUrls, minStability, more = [] }: DocumentOptions): Route[] {
  // Each is created on first use, so that a start does not wait for it.
  const document = once(() =>
    openApiDocument({ environment, baseUrls: { ...baseUrls, [environment]: ownAddress }, minStability, more }),
  )
  const json = once(() => JSON.stringify(document()))
  const yaml = once(async () => {
    const { stringify } = await import('yaml')
    return stringify(document(), { aliasDuplicateObjects: false, lineWidth: 120 })
  })
  const arazzo = once(async () => {
    const { parse, stringify } = await import('yaml')
    const workflows = servedWorkflows(parse(readFileSync(arazzoFile, 'utf8')), document())
    return staticFile('application/yaml', stringify(workflows, { lineWidth: 120 }))
  })
  const llms = once(() => staticFile('text/plain; charset=utf-8', llmsText(document(), guides())))
  const jsonFile = fileByAddress('application/json', (base) => json().replace(ownAddress, base))
  const yamlFile = fileByAddress('application/yaml', async (base) => (await yaml()).replace(ownAddress, base))
  const asyncApiFile = fileByAddress('application/json', (baseUrl) =>
    JSON.stringify(asyncApiDocument({ environment, baseUrl, minStability })),
  )

  return [
    documentRoute('/openapi.json', (exchange) => jsonFile(baseOf(exchange))),
    documentRoute('/openapi.yaml', (exchange) => yamlFile(baseOf(exchange))),
    documentRoute('/asyncapi.json', (exchange) => asyncApiFile(baseOf(exchange))),
    documentRoute('/arazzo.yaml', () => arazzo()),
    documentRoute('/llms.txt', () => llms()),
    ...guides().map(({ path, text }) => {
      // A browser shows plain text; it may offer to save Markdown.
      const file = once(() => staticFile('text/plain; charset=utf-8', text))
      return documentRoute(path, file)
    }),
    documentRoute('/.well-known/api-catalog', (exchange) => {
      const base = baseOf(exchange)
      const root = base.replace(/\/v1$/, '')
      exchange.response.headers['link'] = `<${root}/.well-known/api-catalog>; rel="api-catalog"`
      return staticFile(catalogType, JSON.stringify(catalog(base, root)))
    }),
  ]
}

/** Every origin may read it. */
function documentRoute(path: string, file: (exchange: Exchange) => StaticFile | Promise<StaticFile>): Route {
  return openRoute('GET', path, async (exchange): Promise<Reply> => {
    exchange.response.headers['access-control-allow-origin'] = '*'
    return fileReply(exchange, await file(exchange))
  })
}

/** The base address that the document names. */
function baseOf(exchange: Exchange): string {
  exchange.response.addVary('Host')
  return exchange.request.base
}

/** Makes a file for each base address. */
function fileByAddress(
  type: string,
  textFor: (base: string) => string | Promise<string>,
): (base: string) => Promise<StaticFile> {
  const files = new Map<string, StaticFile>()
  return async (base) => {
    const known = files.get(base)
    if (known !== undefined) return known
    const file = staticFile(type, await textFor(base))
    files.set(base, file)
    const [oldest = base] = files.keys()
    if (files.size > maxAddresses) files.delete(oldest)
    return file
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

const arazzoFile = new URL('../../contract/document/arazzo.yaml', import.meta.url)
const catalogType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

function catalog(base: string, root: string): object {
  return {
    linkset: [
      {
        anchor: base,
        'service-desc': [
          { href: `${root}/openapi.json`, type: 'application/json' },
          { href: `${root}/openapi.yaml`, type: 'application/yaml' },
          { href: `${root}/asyncapi.json`, type: 'application/json' },
          { href: `${root}/arazzo.yaml`, type: 'application/yaml' },
        ],
        'service-doc': [
          { href: `${root}/docs`, type: 'text/html' },
          { href: `${root}/docs/guides`, type: 'text/html' },
          { href: `${root}/llms.txt`, type: 'text/plain' },
        ],
        status: [{ href: `${root}/readyz`, type: 'application/json' }],
      },
    ],
  }
}
