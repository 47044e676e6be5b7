/**
 * What an endpoint does. idle: it has all events. ready: it waits for its turn. sending: a try runs. waiting: for the
 * time of the next try. gone: it was removed or disabled.
 */
export const phases = ['idle', 'ready', 'sending', 'waiting', 'gone'] as const
export type Phase = (typeof phases)[number]

/**
 * What happens to it. behind: there is an event that it has not got. upToDate: there is none. turn: its turn has come.
 * failed: its event could not be read or was not taken. due: the time of the next try has come. renewed: it was enabled
 * again, or has another address. removed: it was removed or disabled.
 */
export const occurrences = ['behind', 'upToDate', 'turn', 'failed', 'due', 'renewed', 'removed'] as const
export type Occurrence = (typeof occurrences)[number]

/** Whatever is not here changes nothing. */
const transitions: Record<Phase, Partial<Record<Occurrence, Phase>>> = {
  // One that failed in another process waits here, too.
  idle: { behind: 'ready', failed: 'waiting', removed: 'gone' },
  ready: { turn: 'sending', removed: 'gone' },
  sending: { behind: 'ready', upToDate: 'idle', failed: 'waiting', removed: 'gone' },
  waiting: { due: 'ready', renewed: 'ready', removed: 'gone' },
  gone: {},
}

/** The phase after an occurrence. */
export function next(phase: Phase, occurrence: Occurrence): Phase {
  return transitions[phase][occurrence] ?? phase
}
