interface Dispatcher {
  dispatch(options: object, handler: object): boolean
}

/** Node and Bun end a request that has no response after five minutes. */
export const runtimeTimeoutMs = 300_000

/** Options of `fetch` that switch off the runtime's own timeout. Node's keep its proxies and pools. */
export function withoutRuntimeTimeout(): object {
  const runtime = globalThis as unknown as Record<symbol, Dispatcher | undefined>
  const node = runtime[Symbol.for('undici.globalDispatcher.2')] ?? runtime[Symbol.for('undici.globalDispatcher.1')]
  const dispatcher: Dispatcher | undefined = node && {
    dispatch: (options, handler) => node.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  }
  // `timeout` is Bun's.
  return { timeout: false, ...(dispatcher && { dispatcher }) }
}
