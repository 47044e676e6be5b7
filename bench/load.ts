import { readFileSync } from 'node:fs'
import { type Connection, openConnection, type Target } from './connection.ts'
import { histogram } from './histogram.ts'
import { keyPlaceholder } from './requests.ts'

/** What to send, to whom and for how long. */
export interface Job {
  port: number
  /** Over HTTPS, with whatever certificate the server has. */
  isSecure: boolean
  milliseconds: number
  streams: Stream[]
}

export interface Stream {
  /**
   * A file with a JSON array of requests as they go over the wire; sent in turn, again from the start at its end. The
   * next job goes on behind the last request of this one: a page that is asked for again soon comes from a cache.
   */
  requests: string
  connections: number
  /** The status that is right, or all that are. */
  expected: number | readonly number[]
  /** A connection ends after so many, and the next one takes its place. Without it, all stay. */
  requestsPerConnection?: number
  /** Requests per second of all connections together; without it, each sends as soon as it has its answer. */
  perSecond?: number
}

export interface Outcome {
  streams: StreamOutcome[]
  /** CPU time of the load itself, as a share of the time it ran. Near 1, the load was the limit, not the server. */
  loadShare: number
}

export interface StreamOutcome {
  /** Answered within the time. */
  perSecond: number
  /** Answered, also those that were under way at the end of the time: what the server spent CPU on. */
  answered: number
  p50: number
  p99: number
  /** Answers with another status, connections lost, requests without an answer; with an example. */
  wrong: number
  example?: string
}

/** How long requests under way at the end may take, so that no work is left that would disturb what comes next. */
const drainTimeoutMs = 20_000
const maxReconnects = 100

async function run({ port, isSecure, milliseconds, streams }: Job): Promise<Outcome> {
  const prepared = streams.map((stream) => ({ ...stream, bytes: requestsIn(stream.requests) }))
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  const outcomes = await Promise.all(
    prepared.map((stream) => runStream({ port, isSecure }, start + milliseconds, stream)),
  )
  const { user, system } = process.cpuUsage(cpuBefore)
  return { streams: outcomes, loadShare: (user + system) / 1000 / (performance.now() - start) }
}

function runStream(target: Target, end: number, stream: Stream & { bytes: Buffer[] }): Promise<StreamOutcome> {
  const { bytes, connections, perSecond, requests, requestsPerConnection = Infinity } = stream
  const expected = new Set([stream.expected].flat())
  const start = performance.now()
  const period = perSecond === undefined ? 0 : (1000 * connections) / perSecond
  const latencies = histogram()
  const problems = new Map<string, number>()
  let next = places.get(requests) ?? 0
  let answered = 0
  let answeredInTime = 0
  let open = connections
  let reconnects = 0

  return new Promise((resolve) => {
    const drain = setTimeout(finish, end - start + drainTimeoutMs)
    for (let index = 0; index < connections; index++) sendRepeatedly(start + (index * period) / connections)

    /** Sends one request after the other over one connection until the time is over. */
    function sendRepeatedly(firstDue: number): void {
      let due = firstDue
      let since = 0
      let left = requestsPerConnection
      const openedAt = performance.now()
      const connection: Connection = openConnection(target, {
        // Who comes for a few requests waits for the connection, too.
        opened: () => proceed(left < Infinity ? openedAt : undefined),
        answered(status) {
          const now = performance.now()
          latencies.add(now - since)
          answered++
          if (now <= end) answeredInTime++
          if (!expected.has(status)) note(`status ${status}`)
          if (--left > 0 || now >= end) return proceed()
          connection.close()
          sendRepeatedly(due)
        },
        failed(reason) {
          note(reason)
          if (performance.now() < end && ++reconnects <= maxReconnects) sendRepeatedly(due)
          else leave()
        },
      })

      function proceed(waitingSince?: number): void {
        const now = performance.now()
        if (now >= end) {
          connection.close()
          leave()
        } else if (now < due) {
          setTimeout(ask, due - now)
        } else {
          // A paced request that was due before now had to wait for the answer before it: that wait is the server's.
          ask(period === 0 ? (waitingSince ?? now) : due)
        }
      }

      function ask(from = performance.now()): void {
        since = from
        due += period
        connection.send(withOwnKey(bytes[next] as Buffer))
        next = next + 1 === bytes.length ? 0 : next + 1
        places.set(requests, next)
      }
    }

    function note(problem: string): void {
      problems.set(problem, (problems.get(problem) ?? 0) + 1)
    }

    function leave(): void {
      if (--open === 0) finish()
    }

    function finish(): void {
      clearTimeout(drain)
      if (open > 0) problems.set(`no answer within ${drainTimeoutMs / 1000} s`, open)
      const example = problems.keys().next().value
      resolve({
        perSecond: answeredInTime / ((end - start) / 1000),
        answered,
        p50: latencies.quantile(0.5),
        p99: latencies.quantile(0.99),
        wrong: [...problems.values()].reduce((sum, times) => sum + times, 0),
        ...(example !== undefined && { example }),
      })
    }
  })
}

let lastKey = 0

/** The request, or a copy with a key that no other has. */
function withOwnKey(bytes: Buffer): Buffer {
  const start = bytes.indexOf(keyPlaceholder)
  if (start === -1) return bytes
  const copy = Buffer.from(bytes)
  copy.write(String(++lastKey).padStart(keyPlaceholder.length, '0'), start, 'latin1')
  return copy
}

const files = new Map<string, Buffer[]>()
/** The index of the next request, by file. */
const places = new Map<string, number>()

function requestsIn(file: string): Buffer[] {
  let requests = files.get(file)
  if (requests === undefined) {
    requests = (JSON.parse(readFileSync(file, 'utf8')) as string[]).map((text) => Buffer.from(text))
    files.set(file, requests)
  }
  return requests
}

process.on('message', (job: Job) => {
  void run(job).then((outcome) => process.send?.(outcome))
})
process.on('disconnect', () => process.exit())
