import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { HttpResponse } from '../http/response-reader.ts'
import { headerOf, type ShopRequest } from './exchange.ts'

const maxOutputLength = 8 * 1024 * 1024
const decoders: Record<string, (body: Buffer, options: { maxOutputLength: number }) => Buffer> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** The response, with its content as it was before it was compressed, if the request accepts that. */
export function withContent(response: HttpResponse, { headers = {} }: ShopRequest): HttpResponse {
  const accepted = headers['Accept-Encoding']
  const coding = headerOf(response, 'content-encoding')?.trim().toLowerCase()
  const decode = coding === undefined ? undefined : decoders[coding]
  if (decode === undefined || accepted?.includes(coding?.replace('x-', '') ?? '') !== true) return response
  try {
    return { ...response, content: decode(response.body, { maxOutputLength }) }
  } catch {
    return response
  }
}
