/** The state of the service: first it serves, then it may leave for a while, then it drains. */
export interface Lifecycle {
  readonly stage: 'serving' | 'leaving' | 'draining'
  /** Not ready, but still serving, so that a proxy can notice. */
  leave(): void
  /** Accepts no more connections, serves the open ones, and closes each. */
  drain(): void
}

export function lifecycle(): Lifecycle {
  let stage: Lifecycle['stage'] = 'serving'
  return {
    get stage() {
      return stage
    },
    leave() {
      if (stage === 'serving') stage = 'leaving'
    },
    drain() {
      stage = 'draining'
    },
  }
}
