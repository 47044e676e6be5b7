type Stage = 'starting' | 'serving' | 'leaving' | 'draining'

/** The state of the service: it starts, serves, may leave for a while, and drains. It serves requests in all of them. */
export interface Lifecycle {
  readonly stage: Stage
  /** The start is complete: the service may be ready. */
  serve(): void
  /** Not ready, but still serving, so that a proxy can notice. */
  leave(): void
  /** Accepts no more connections, serves the open ones, and closes each. */
  drain(): void
}

export function lifecycle(first: Extract<Stage, 'starting' | 'serving'> = 'serving'): Lifecycle {
  let stage: Stage = first
  return {
    get stage() {
      return stage
    },
    serve() {
      if (stage === 'starting') stage = 'serving'
    },
    leave() {
      if (stage !== 'draining') stage = 'leaving'
    },
    drain() {
      stage = 'draining'
    },
  }
}
