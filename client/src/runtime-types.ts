// The runtime's own types where the caller's program has them (lib "dom" or @types/node). The declarations of this package
// compile without either.

export type RuntimeSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : { readonly aborted: boolean; readonly reason: unknown }

/** The call signature alone: some runtimes give their `fetch` members that no replacement has. */
export type RuntimeFetch = typeof globalThis extends { fetch: (...args: infer Args) => infer Result }
  ? (...args: Args) => Result
  : // oxlint-disable-next-line typescript/no-explicit-any
    (url: string, init: any) => Promise<any>
