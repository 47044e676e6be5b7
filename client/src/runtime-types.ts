// The runtime's own types, if the caller's program has them from lib "dom" or @types/node. The declarations of this
// package compile without them.

export type RuntimeSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : { readonly aborted: boolean; readonly reason: unknown }

/** The part of `Headers` that every runtime and library has. */
export interface ResponseHeaders {
  get(name: string): string | null
  forEach(callback: (value: string, name: string) => void): void
}

/** What is passed to `fetch`. It fits the runtime's own, that of undici, and wrappers. */
export interface FetchInit {
  method: string
  headers: Record<string, string>
  redirect: 'manual'
  // oxlint-disable-next-line typescript/no-explicit-any
  body?: any
  // oxlint-disable-next-line typescript/no-explicit-any
  signal: any
}

/** What is used of the result of `fetch`. */
export interface FetchedResponse {
  readonly ok: boolean
  readonly status: number
  readonly headers: ResponseHeaders
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
  text(): Promise<string>
}

export type Fetch = (url: string, init: FetchInit) => Promise<FetchedResponse>
