/** The maximum size of a JSON body, in bytes. A row of a file may be as large. */
export const bodyLimit = 64 * 1024

/** The maximum size of a file that is imported over HTTP, in bytes. */
export const importLimit = 1024 * 1024 * 1024

/** The slowest pace of such a file: `minProgressBytes` in every `stallTimeoutMs`. */
export const importProgress = { minProgressBytes: 64 * 1024, stallTimeoutMs: 30_000 }
