// The runtime's own types, if the caller's program knows them from lib "dom" or from @types/node. Without either, the
// declarations of this package still compile.

export type RuntimeSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : { readonly aborted: boolean; readonly reason: unknown }

/** The call signature alone: some runtimes give their `fetch` members that no replacement has. */
export type RuntimeFetch = typeof globalThis extends { fetch: (...args: infer Args) => infer Result }
  ? (...args: Args) => Result
  : // oxlint-disable-next-line typescript/no-explicit-any
    (url: string, init: any) => Promise<any>
