import type { App } from '../fastify-types.ts'

const request = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ (\S+) HTTP\/1\.[01]\r\n(.*?)\r\n\r\n/s

/**
 * A method that Node's parser has never heard of is no reason to skip the gates: the request is asked again with one that
 * it knows and we do not, and the answer, 405 or that of an earlier gate, is returned as bytes. Undefined when the packet is not one whole, proper head of a request.
 */
export async function askWithUnknownMethod(app: App, packet: unknown): Promise<string | undefined> {
  const [, url = '', lines = ''] = (Buffer.isBuffer(packet) && request.exec(packet.toString('latin1'))) || []
  if (!url.startsWith('/')) return undefined
  const pairs = lines.split('\r\n').map((line) => line.split(/:\s*(.*)/s, 2) as [string, string])
  const count = (wanted: string) => pairs.filter(([name]) => name.toLowerCase() === wanted).length
  if (count('host') !== 1 || count('authorization') > 1) return undefined
  const headers = Object.fromEntries(pairs)

  const answer = await app.inject({ method: 'UNLINK' as 'GET', url, headers })

  const head = Object.entries({ ...answer.headers, connection: 'close' })
  return (
    `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\n` +
    `${head.map(([name, value]) => `${name}: ${String(value)}\r\n`).join('')}\r\n${answer.body}`
  )
}
