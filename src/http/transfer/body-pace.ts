/** How long a client takes for each `minProgressBytes` of its body, without the time in which nothing is read. */
export class BodyPace {
  readonly #minProgressBytes: number
  /** The time for the bytes since the last progress, without the read that goes on. */
  #waitedMs = 0
  #missingBytes: number
  #readingSince: number | undefined = undefined

  constructor(minProgressBytes: number) {
    this.#minProgressBytes = minProgressBytes
    this.#missingBytes = minProgressBytes
  }

  startRead(): void {
    this.#readingSince = performance.now()
  }

  /** Returns how long the read took, in milliseconds. */
  endRead(bytes: number): number {
    const tookMs = performance.now() - (this.#readingSince as number)
    this.#readingSince = undefined
    this.#waitedMs += tookMs
    this.#missingBytes -= bytes
    if (this.#missingBytes <= 0) {
      this.#waitedMs = 0
      this.#missingBytes = this.#minProgressBytes
    }
    return tookMs
  }

  /** Nothing more is awaited: the body is complete. */
  end(): void {
    this.#waitedMs = 0
  }

  /** How long the next `minProgressBytes` have been awaited. */
  lateMs(): number {
    return this.#waitedMs + (this.#readingSince === undefined ? 0 : performance.now() - this.#readingSince)
  }
}
