// The runtime's own types, if the caller's program has them from lib "dom" or @types/node. The declarations of this
// package compile without them.

export type RuntimeSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : { readonly aborted: boolean; readonly reason: unknown }

/** Only the call signature: some runtimes add members to `fetch` that a replacement does not have. */
export type RuntimeFetch = typeof globalThis extends { fetch: (...args: infer Args) => infer Result }
  ? (...args: Args) => Result
  : // oxlint-disable-next-line typescript/no-explicit-any
    (url: string, init: any) => Promise<any>
