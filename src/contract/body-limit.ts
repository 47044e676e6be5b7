/** The maximum length of a request's address, in characters. */
export const maxAddressLength = 4 * 1024

/** The maximum size of a JSON body, in bytes. */
export const bodyLimit = 64 * 1024

/** The maximum size of a row of a file: a body plus what an export adds, the id and the digits of `1e18` in full. */
export const maxRowBytes = bodyLimit + 64
export const rowTooLarge = 'The row is larger than 64 KiB.'

/** A limit on memory for a file without line ends. */
export const maxUncutBytes = 1024 * 1024

/** The maximum size of a file that is imported over HTTP, in bytes. */
export const importLimit = 1024 * 1024 * 1024

/** The slowest pace of such a file: `minProgressBytes` in every `stallTimeoutMs`. */
export const importProgress = { minProgressBytes: 64 * 1024, stallTimeoutMs: 30_000 }
