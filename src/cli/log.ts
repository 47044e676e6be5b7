import { isatty } from 'node:tty'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'

const stderr = 2

/** The log goes to standard error: standard output is for people. JSON lines; pretty on a terminal. */
export async function openLog(level: Config['logLevel']): Promise<Logger> {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, errorKey: 'error' }, await destination())
}

async function destination(): Promise<DestinationStream> {
  // Lines that are written while another is on its way go out together with the next.
  if (!isatty(stderr)) return pino.destination({ fd: stderr, sync: false })
  const { default: pretty } = await import('pino-pretty')
  return pretty({
    destination: stderr,
    sync: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'requestId,keyId,method,path,status,ms',
    messageFormat: (line, key) => (line['method'] === undefined ? String(line[key]) : requestLine(line)),
  })
}

function requestLine({ method, path, status, ms, keyId = '' }: Record<string, unknown>): string {
  return [method, path, status, ms, 'ms', keyId].join(' ')
}
