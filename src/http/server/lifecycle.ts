/** Whether the service takes requests. First it serves, then it may leave for a while, then it drains. */
export interface Lifecycle {
  readonly stage: 'serving' | 'leaving' | 'draining'
  /** It is not ready any more, and still answers: whoever passes requests on has time to notice. */
  leave(): void
  /** It takes no more connections, answers on those that it has, and lets go of each. */
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
