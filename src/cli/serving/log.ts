import { isatty } from 'node:tty'
import { type Logger, pino } from 'pino'
import type { Answered } from '../../http/replies/observe.ts'
import type { Config } from '../shared/config.ts'
import { openStderr } from './stderr.ts'

/** The log goes to standard error: standard output is for people. Nothing here ever waits for whoever reads it. */
export interface Log extends Pick<Logger, 'info' | 'warn' | 'error' | 'fatal'> {
  /** The one line that every request leaves behind. */
  request(answer: Answered): void
  /** Resolves when what is in memory has been written, or cannot be in time. */
  flush(): Promise<void>
}

const gatherIntervalMs = 100
const maxGatheredCharacters = 32 * 1024
const flushTimeoutMs = 500

let opening: Promise<Log> | undefined

/** The log of this process: the first call opens it. */
export function openLog(level: Config['logLevel']): Promise<Log> {
  opening ??= isatty(2) ? prettyLog(level) : jsonLog(level)
  return opening
}

/** JSON lines. Those of requests gather for a moment: writing a hundred costs little more than writing one. */
async function jsonLog(level: Config['logLevel']): Promise<Log> {
  const { write, flush } = openStderr({ droppedLine })
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, errorKey: 'error' }, { write })
  let gathered = ''
  function send(): void {
    if (gathered !== '') write(gathered)
    gathered = ''
  }
  setInterval(send, gatherIntervalMs).unref()

  return {
    ...bound(log),
    request: log.isLevelEnabled('info')
      ? (answer) => {
          gathered += requestLine(answer)
          if (gathered.length > maxGatheredCharacters) send()
        }
      : () => undefined,
    flush() {
      send()
      return flush(flushTimeoutMs)
    },
  }
}

async function prettyLog(level: Config['logLevel']): Promise<Log> {
  const { prettyFactory } = await import('pino-pretty')
  const prettify = prettyFactory({ translateTime: 'SYS:HH:MM:ss', colorize: true })
  const { write, flush } = openStderr({ droppedLine: (count) => prettify(droppedLine(count)) ?? '' })
  const log = pino({ level, base: null, errorKey: 'error' }, { write: (line: string) => write(prettify(line) ?? '') })
  return {
    ...bound(log),
    request: ({ method, path, status, milliseconds, keyId = '' }) =>
      log.info(`${method} ${path} ${status} ${milliseconds.toFixed(1)} ms ${keyId}`),
    flush: () => flush(flushTimeoutMs),
  }
}

/** In the form of every other line. */
function droppedLine(count: number): string {
  return `{"level":40,"time":"${now()}","lines":${count},"msg":"log lines dropped"}\n`
}

function bound(log: Logger): Pick<Logger, 'info' | 'warn' | 'error' | 'fatal'> {
  return {
    info: log.info.bind(log),
    warn: log.warn.bind(log),
    error: log.error.bind(log),
    fatal: log.fatal.bind(log),
  }
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
