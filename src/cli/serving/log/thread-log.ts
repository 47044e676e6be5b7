import { hungThreads, type ThreadEvent, threadEvents, type ThreadName } from '../../../threads/thread.ts'
import type { Config } from '../../shared/config.ts'
import { byLabel, type Metric } from '../metrics/metric.ts'
import type { Log } from './log.ts'

const names: readonly ThreadName[] = ['writer', 'search', 'backup', 'delivery']

/** Logs every thread that hangs or ends by itself, and counts them. Returns the metrics. */
export function watchThreads(
  level: Config['logLevel'],
  write: (event: ThreadEvent) => void = (event) => void writeToLog(level, event),
): () => Promise<Metric[]> {
  // From 0 on, so that the first one is seen as an increase.
  const lost = new Map<string, number>(names.map((name) => [name, 0]))

  threadEvents.subscribe((message) => {
    const event = message as ThreadEvent
    if (event.event !== 'wentOn') lost.set(event.thread, (lost.get(event.thread) ?? 0) + 1)
    write(event)
  })

  return async () => {
    const hung = names.map((name) => [name, hungThreads().filter((other) => other === name).length] as const)
    return [
      byLabel('gauge', 'petstore_threads_hung', 'Threads that hang and were given up, by name.', 'thread', hung),
      byLabel('counter', 'petstore_threads_lost_total', 'Threads that hung or ended by themselves.', 'thread', lost),
    ]
  }
}

async function writeToLog(level: Config['logLevel'], event: ThreadEvent): Promise<void> {
  // Loaded on demand, as for the health of the database.
  threadLog(await (await import('./log.ts')).openLog(level))(event)
}

/** One line for each event. */
export function threadLog(log: Pick<Log, 'info' | 'error'>): (event: ThreadEvent) => void {
  return ({ thread, event, reason }) => {
    if (event === 'wentOn') log.info({ thread }, 'a thread that hung has ended')
    else if (event === 'hangs') log.error({ thread, reason }, 'a thread hangs and is replaced')
    else log.error({ thread, reason }, 'a thread has ended and is replaced')
  }
}
