import type { ImportPetsQuery, Int64 } from './contract.ts'
import type { Warning } from './deprecation.ts'
import type { EtagSource } from './etag.ts'
import type { Hooks } from './hooks.ts'
import type { Fetch, RuntimeSignal } from './runtime-types.ts'

export interface PetStoreOptions extends Hooks {
  /** The address of the service, which ends in `/v1`. On a web page it may be a path. */
  baseUrl: string | { readonly href: string }
  /** A function is asked before every attempt, so that the key can change. */
  apiKey: string | (() => string | Promise<string>)
  /** Sent with every request. */
  defaultHeaders?: Record<string, string> | undefined
  /** The time limit of one attempt. Default 10,000. */
  timeoutMs?: number | undefined
  retry?: RetryOptions | undefined
  /** Whether the service refuses unknown parameters and members. By default it ignores them. */
  strict?: boolean | undefined
  /** Called once for each deprecated operation that is used. Default `console.warn`. */
  onWarning?: ((warning: Warning) => void) | undefined
  /** Replaces the runtime's own `fetch`. */
  fetch?: Fetch | undefined
}

export interface RetryOptions {
  /** The maximum number of attempts, including the first. 1 for no retries. Default 4. */
  maxAttempts?: number | undefined
  /** The time limit of a call with all attempts and delays. Default 60,000, or `timeoutMs` if that is longer. */
  totalTimeoutMs?: number | undefined
  /** The longest delay before the first retry. It doubles with each retry. Default 250. */
  baseDelayMs?: number | undefined
  /** The longest delay, unless the service asks for more. Default 10,000. */
  maxDelayMs?: number | undefined
}

/** The last argument of every method. */
export interface CallOptions {
  /** Aborts the call, which rejects with the reason of the signal. A request that was sent may still be carried out. */
  signal?: RuntimeSignal | null | undefined
  /** The time limit of one attempt. */
  timeoutMs?: number | undefined
  /** Replaces members of the client's own. */
  retry?: RetryOptions | undefined
  /** Sent with the request, beside `defaultHeaders`. */
  headers?: Record<string, string> | undefined
}

/**
 * What the methods pass on of their last argument.
 * @internal
 */
export interface SendOptions extends CallOptions {
  ifMatch?: EtagSource | undefined
  ifNoneMatch?: EtagSource | undefined
  idempotencyKey?: string | undefined
}

export interface ListOptions extends CallOptions {
  /** Whether the first page has the total of all pages. */
  count?: boolean | undefined
  /** Whether the next page is fetched while the items of a page are used. */
  prefetch?: boolean | undefined
}

export interface CreateOptions extends CallOptions {
  /**
   * Identifies this create: a repetition with the same key and body, even from another process, does nothing twice.
   * Random by default.
   */
  idempotencyKey?: string | undefined
}

/**
 * A file to import. A `Blob` (or `File`), a string and bytes can be sent again after a failure, a stream or an iterable
 * cannot, unless it comes from a function that opens the file.
 */
export type ImportSource = ImportContent | (() => ImportContent | Promise<ImportContent>)

type ImportContent =
  | string
  | Uint8Array
  | { readonly size: number; stream(): unknown }
  | { getReader(): unknown }
  | AsyncIterable<string | Uint8Array>

export interface ImportOptions extends CallOptions {
  /** Default `csv`. */
  format?: 'csv' | 'ndjson' | undefined
  /** Groups several imports, such as the parts of a large file, so that they can be undone together. */
  importId?: string | undefined
  mode?: ImportPetsQuery['mode']
  /** Whether to make categories that the file names and the shop lacks. */
  createCategories?: boolean | undefined
  /** Whether to tell what the import would do, with `newCategories` and `earlier`, and change nothing. */
  dryRun?: boolean | undefined
  /**
   * Identifies this import: a repetition with the same key and file, even from another process, adds only the rows that
   * are missing. Random by default.
   */
  idempotencyKey?: string | undefined
  /**
   * Called with the number of bytes that were read of the file to send them. It starts again with each attempt. Not
   * called for a string, bytes or a `Blob` in a browser, which does not tell.
   */
  onProgress?: ((progress: { bytes: number }) => void) | undefined
}

export interface ChangeOptions extends CallOptions {
  /** Change only if the resource is unchanged: what a method returned, or an ETag. Otherwise `precondition_failed`. */
  ifMatch?: EtagSource | undefined
}

export interface PutOptions extends ChangeOptions {
  /** Only create. `precondition_failed` if the resource exists. */
  ifNoneMatch?: '*' | undefined
}

export interface FollowOptions extends CallOptions {
  /** The `id` of the last known event, or the `position` of a page; 0 for all stored events. Default: from now on. */
  after?: Int64 | string | undefined
  /**
   * A connection that is silent for this long counts as broken. The service sends a heartbeat every 10 seconds. Default
   * 45,000.
   */
  maxSilenceMs?: number | undefined
  /** Called with true each time the stream is connected, and with false each time the connection ends. */
  onConnection?: ((isConnected: boolean) => void) | undefined
  /** Called each time the connection ends or cannot be made, beside the client's own `onRetry`. */
  onRetry?: Hooks['onRetry']
}
