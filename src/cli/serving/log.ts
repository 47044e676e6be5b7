import { isatty } from 'node:tty'
import { type Logger, pino } from 'pino'
import type { Answered } from '../../http/replies/observe.ts'
import type { Config } from '../config.ts'

/** The log goes to standard error: standard output is for people. */
export interface Log extends Pick<Logger, 'info' | 'error' | 'fatal'> {
  /** The one line that every request leaves behind. */
  request(answer: Answered): void
  /** Writes what is still in memory. */
  flush(): void
}

const stderr = 2

export async function openLog(level: Config['logLevel']): Promise<Log> {
  return isatty(stderr) ? prettyLog(level) : jsonLog(level)
}

const gatherFor = 100 // milliseconds
const gatherUpTo = 32 * 1024 // characters

/** JSON lines. Those of requests gather for a moment: writing a hundred costs little more than writing one. */
function jsonLog(level: Config['logLevel']): Log {
  // Whoever reads the log may stall: what does not fit is lost then, not the service.
  const destination = pino.destination({ fd: stderr, sync: false, maxLength: 16 * 1024 * 1024 })
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, errorKey: 'error' }, destination)
  let lines = ''
  function send(): void {
    if (lines !== '') destination.write(lines)
    lines = ''
  }
  setInterval(send, gatherFor).unref()

  return {
    ...bound(log),
    request: log.isLevelEnabled('info')
      ? (answer) => {
          lines += requestLine(answer)
          if (lines.length > gatherUpTo) send()
        }
      : () => undefined,
    flush() {
      send()
      destination.flushSync()
    },
  }
}

async function prettyLog(level: Config['logLevel']): Promise<Log> {
  const { default: pretty } = await import('pino-pretty')
  const stream = pretty({ destination: stderr, sync: true, translateTime: 'SYS:HH:MM:ss' })
  const log = pino({ level, base: null, errorKey: 'error' }, stream)
  return {
    ...bound(log),
    request: ({ method, path, status, milliseconds, keyId = '' }) =>
      log.info(`${method} ${path} ${status} ${milliseconds.toFixed(1)} ms ${keyId}`),
    flush: () => undefined,
  }
}

function bound(log: Logger): Pick<Logger, 'info' | 'error' | 'fatal'> {
  return { info: log.info.bind(log), error: log.error.bind(log), fatal: log.fatal.bind(log) }
}

// What pino would write, by hand: alone, its general encoder takes five microseconds for a line, this a third of one.
// Ids and methods are made of characters that JSON takes as they are; a path is not.
function requestLine({ requestId, keyId, method, path, status, milliseconds }: Answered): string {
  const key = keyId === undefined ? '' : `,"keyId":"${keyId}"`
  return (
    `{"level":30,"time":"${now()}","requestId":"${requestId}"${key},"method":"${method}",` +
    `"path":${JSON.stringify(path)},"status":${status},"ms":${Math.round(milliseconds * 1000) / 1000},"msg":"request"}\n`
  )
}

let lastMillisecond = 0
let lastTime = ''

function now(): string {
  const millisecond = Date.now()
  if (millisecond !== lastMillisecond) {
    lastMillisecond = millisecond
    lastTime = new Date(millisecond).toISOString()
  }
  return lastTime
}
