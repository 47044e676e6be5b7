import { isatty } from 'node:tty'
import { type Logger, pino } from 'pino'
import type { Answered } from '../../../http/replies/observe.ts'
import type { Config } from '../../shared/config.ts'
import { openStderr } from './stderr.ts'

/** The log is written to standard error; standard output is for people. Logging never blocks on the reader. */
export interface Log extends Pick<Logger, 'info' | 'warn' | 'error' | 'fatal'> {
  /** Logs a request, one line each. */
  request(answer: Answered): void
  /** Resolves when all buffered lines are written, or after a timeout. */
  flush(): Promise<void>
}

const gatherIntervalMs = 100
const maxBufferedCharacters = 32 * 1024
const flushTimeoutMs = 500

let opening: Promise<Log> | undefined

/** The log of this process: the first call opens it. */
export function openLog(level: Config['logLevel']): Promise<Log> {
  opening ??= isatty(2) ? prettyLog(level) : jsonLog(level)
  return opening
}

/** JSON lines. Lines of requests are buffered for a moment: writing a hundred costs little more than one. */
async function jsonLog(level: Config['logLevel']): Promise<Log> {
  const { write, flush } = openStderr({ droppedLine })
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, errorKey: 'error' }, { write })
  let buffered = ''
  function send(): void {
    if (buffered !== '') write(buffered)
    buffered = ''
  }
  setInterval(send, gatherIntervalMs).unref()

  return {
    ...boundMethods(log),
    request: log.isLevelEnabled('info')
      ? (answer) => {
          buffered += requestLine(answer)
          if (buffered.length > maxBufferedCharacters) send()
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
    ...boundMethods(log),
    request: ({ method, path, status, milliseconds, keyId = '' }) =>
      log.info(`${method} ${path} ${status} ${milliseconds.toFixed(1)} ms ${keyId}`),
    flush: () => flush(flushTimeoutMs),
  }
}

/** In the format of other lines. */
export function droppedLine(count: number): string {
  return `{"level":40,"time":"${now()}","lines":${count},"msg":"log lines dropped"}\n`
}

function boundMethods(log: Logger): Pick<Logger, 'info' | 'warn' | 'error' | 'fatal'> {
  return {
    info: log.info.bind(log),
    warn: log.warn.bind(log),
    error: log.error.bind(log),
    fatal: log.fatal.bind(log),
  }
}

// The output of pino, encoded by hand: its general encoder takes five microseconds for a line, this a third of one. Ids
// and methods need no JSON escapes; a path may.
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
