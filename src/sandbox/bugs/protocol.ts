import { PetStoreError } from '../../inventory/errors.ts'
import type { Exchange, Reply } from '../../http/exchange.ts'
import { headOf } from '../../http/replies/send.ts'
import { type Bug, bug } from './bug.ts'
import { codingOf, petOperations, reply, request, withText } from './vocabulary.ts'

const kind = 'protocol'
const silent = 'decision 1'
const maxBytes = 64 * 1024

export const protocolBugs: readonly Bug[] = [
  bug(93, 'cut-at-64-kib', kind, 'high', 'hard', {
    wrong: 'A body ends after 64 KiB.',
    breaks: ['contract 4.1', '200: Pets (array of Pet). A page of animals.'],
    found: 'List animals with long names.',
    make: () => reply((honest) => withText(honest, (body) => Buffer.from(body).subarray(0, maxBytes))),
  }),
  bug(94, 'slow-every-hundredth', kind, 'low', 'devilish', {
    wrong: 'Every hundredth response takes a second.',
    breaks: ['scaling.md', 'What a request costs: milliseconds.'],
    found: 'Measure the 99th percentile of some hundred requests.',
    make() {
      let count = 0
      return {
        send(exchange, honest, send) {
          if (++count % 100 !== 0) return send(exchange, honest)
          const timer = setTimeout(() => send(exchange, honest), 1_000).unref()
          exchange.response.outgoing.once('close', () => clearTimeout(timer))
        },
      }
    },
  }),
  bug(95, 'no-head', kind, 'low', 'easy', {
    wrong: '`HEAD` is 405.',
    breaks: [silent, '`HEAD` works wherever `GET` does.'],
    found: '`HEAD /pets`.',
    make: () => ({
      gates: (gates) => ({
        ...gates,
        refuseUnknown(exchange) {
          if (exchange.request.method !== 'HEAD' || exchange.findings.route === undefined)
            return gates['refuseUnknown']?.(exchange)
          const allow = (exchange.findings.allow ?? '').replace('HEAD, ', '')
          exchange.response.headers['allow'] = allow
          throw new PetStoreError('method_not_allowed', `This path allows ${allow}.`)
        },
      }),
    }),
  }),
  bug(96, 'length-in-characters', kind, 'high', 'devilish', {
    wrong:
      '`Content-Length` counts characters, not bytes: a body that is not ASCII is cut, and the rest gets in the way.',
    breaks: ['RFC 9110, 8.6', 'Content-Length is the length of the content in octets.'],
    found: 'Read an animal called ポチ.',
    make: () => ({
      send(exchange, honest, send) {
        const isPlain = Buffer.isBuffer(honest.body) && codingOf(honest) === undefined
        const body = isPlain ? String(honest.body) : honest.body
        const isShort = typeof body === 'string' && body.length < Buffer.byteLength(body)
        // A tool call has no response of its own.
        const isSent = exchange.request.incoming !== undefined && exchange.request.method !== 'HEAD'
        if (isShort && isSent && isOfPets(exchange)) sendByCharacters(exchange, honest, body)
        else send(exchange, honest)
      },
    }),
  }),
  bug(97, 'escapes-not-decoded', kind, 'low', 'hard', {
    wrong: 'Percent escapes in a path are not decoded: /pets/%37 is not /pets/7.',
    breaks: [silent, '`%37` equals `7`.'],
    found: '`GET /pets/%31`.',
    make: () => request(({ target }) => void (target.path = target.path.replaceAll('%', '%25'))),
  }),
  bug(98, 'getpet-survives-2030', kind, 'medium', 'devilish', {
    wrong: 'getPet goes on after 5 December 2030.',
    breaks: ['contract 9', '`GET /pets/{petId}` is deprecated and is removed on 5 December 2030.'],
    found: 'Set the clock of the shop to 5 December 2030 and read an animal.',
    unfindable: 'without the clock of the sandbox it takes years.',
    make: () => ({ gates: (gates) => ({ ...gates, refuseAfterSunset: undefined }) }),
  }),
]

function isOfPets({ findings: { route } }: Exchange): boolean {
  return (petOperations as readonly string[]).includes(route?.operation?.id ?? '')
}

function sendByCharacters(exchange: Exchange, honest: Reply, body: string): void {
  const head = headOf(exchange, honest)
  head[head.indexOf('content-length') + 1] = String(body.length)
  exchange.response.outgoing.writeHead(honest.status, head)
  exchange.response.outgoing.end(body)
}
