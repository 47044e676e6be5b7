import type { Exchange, Gate, Reply, Route } from './exchange.ts'
import { errorReply, reportError } from './replies/errors.ts'
import { applyPreconditions } from './replies/etag.ts'
import { hasRoom, NeedsRoom } from './replies/needs-room.ts'
import { observe, observeAtEnd, type Observer } from './replies/observe.ts'
import { replyBatch } from './replies/reply-batch.ts'
import { removeInvalid } from './replies/response-head.ts'
import { isCached, send } from './replies/send.ts'
import { lengthOf } from './replies/whole-body.ts'

/** What is done with the reply to a request. */
export type Deliver = (exchange: Exchange, reply: Reply) => void

export type Answer = ReturnType<typeof requestPath>

/**
 * The one path of every request: the gates in their order, the handler of its route, the reply. The first gate that
 * refuses a request, or replies, ends its way.
 */
export function requestPath(steps: readonly (Gate | undefined)[], observer: Observer) {
  const gates = steps.filter((gate) => gate !== undefined)

  /** Undefined if the server has refused the request meanwhile: it was answered. */
  function pass(exchange: Exchange, start: number): Reply | undefined | Promise<Reply | undefined> {
    for (let index = start; index < gates.length; index++) {
      const result = (gates[index] as Gate)(exchange)
      if (result === undefined) continue
      if (result instanceof Promise) return passLater(exchange, result, index + 1)
      return result
    }
    return exchange.response.claim('operation') ? (exchange.findings.route as Route).handle(exchange) : undefined
  }

  /** Not a closure in the loop: it would cost every request an object for each gate. */
  async function passLater(exchange: Exchange, waiting: ReturnType<Gate>, next: number): Promise<Reply | undefined> {
    return (await waiting) ?? pass(exchange, next)
  }

  function finish(exchange: Exchange, reply: Reply | undefined, deliver: Deliver): void {
    if (reply === undefined || exchange.response.isRefused) return
    const applied = applyPreconditions(exchange, reply)
    if (!hasRoom(exchange, applied))
      return repeat(exchange, lengthOf(applied.body), isCached(reply) ? () => reply : undefined, deliver)
    exchange.findings.cacheReply?.(reply)
    conclude(exchange, applied, deliver)
  }

  /** Runs the handler again when there is room for so many bytes. Until then nothing of its reply is in memory. */
  function repeat(exchange: Exchange, bytes: number, cached: (() => Reply) | undefined, deliver: Deliver): void {
    const handle = cached ?? (() => (exchange.findings.route as Route).handle(exchange))
    void finishLater(exchange, exchange.reservation.resize(bytes).then(handle), deliver)
  }

  async function finishLater(exchange: Exchange, reply: Promise<Reply | undefined>, deliver: Deliver): Promise<void> {
    try {
      finish(exchange, await reply, deliver)
    } catch (error) {
      fail(exchange, error, deliver)
    }
  }

  function fail(exchange: Exchange, error: unknown, deliver: Deliver): void {
    if (exchange.response.isRefused) return
    if (error instanceof NeedsRoom) return repeat(exchange, error.bytes, undefined, deliver)
    // Those of gates are in the response to an error, too.
    removeInvalid(exchange.response.headers)
    const reply = errorReply(reportError(error, observer, exchange.request.id))
    if (exchange.response.outgoing.headersSent) exchange.response.outgoing.destroy()
    else conclude(exchange, reply, deliver)
  }

  /** Delivers a reply and reports it; a stream when it has ended. From now on the server cannot refuse the request. */
  function conclude(exchange: Exchange, reply: Reply, deliver: Deliver): void {
    exchange.response.claim('operation')
    const isStreamed = typeof reply.body === 'function' && !exchange.response.outgoing.destroyed
    if (isStreamed) observeAtEnd(observer, exchange, reply)
    else if (deliver === send) return sendTogether(exchange, reply)
    deliver(exchange, reply)
    if (!isStreamed) observe(observer, exchange, reply)
  }

  const sendTogether = replyBatch(observer, (exchange, error) => fail(exchange, error, send))

  /** Answers a request. A reply that needs no waiting is sent in this callback of the event loop. */
  return function answer(exchange: Exchange, deliver: Deliver = send): void {
    try {
      const reply = pass(exchange, 0)
      if (reply instanceof Promise) void finishLater(exchange, reply, deliver)
      else finish(exchange, reply, deliver)
    } catch (error) {
      fail(exchange, error, deliver)
    }
  }
}
