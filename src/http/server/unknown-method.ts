import { serverLimits } from './limits.ts'
import type { Inject } from './inject.ts'
import type { ParserError } from './parser-error.ts'
import { rawResponse } from './raw-response.ts'

/** From inside the method, where the parser stops, to the end of the headers. */
const head = /^[!#$%&'*+.^_`|~0-9A-Za-z-]* ([^\s#]+) HTTP\/1\.[01]\r\n(.*?)\r\n\r\n/s

/**
 * The response, as bytes, to a request with a method that Node's parser does not know: 405, or the error of an earlier
 * gate. The request passes the gates with a method that the parser knows and no route has. Undefined if the packet has
 * no complete, valid head.
 */
export async function answerUnknownMethod(
  inject: Inject,
  error: ParserError,
  remoteAddress = '',
): Promise<string | undefined> {
  const [, url = '', lines = ''] = head.exec(restOf(error)) ?? []
  if (!url.startsWith('/')) return undefined
  const pairs = lines.split('\r\n').map((line) => line.split(/:\s*(.*)/s, 2) as [string, string])
  const count = (wanted: string) => pairs.filter(([name]) => name.toLowerCase() === wanted).length
  if (count('host') !== 1 || count('authorization') > 1) return undefined

  const { status, headers, body } = await inject({ method: 'UNLINK', url, rawHeaders: pairs.flat(), remoteAddress })

  return rawResponse(status, headers, String(body))
}

/**
 * The packet from where the parser stopped, as much as headers may have. Earlier bytes belong to other requests, whose
 * headers and keys must not be used.
 */
function restOf({ rawPacket, bytesParsed = 0 }: ParserError): string {
  if (rawPacket === undefined) return ''
  return rawPacket.toString('latin1', bytesParsed, bytesParsed + serverLimits.maxHeaderSize)
}
