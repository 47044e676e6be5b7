import { grouped } from './format-numbers.ts'

/** Shows progress on one line of a terminal, which is overwritten. Without a terminal it does nothing. */
export interface Progress {
  /** `part` is the finished share of the work, from 0 to 1, if known. */
  update(done: number, part?: number): void
  /** Removes the line, so that another can be written. */
  clear(): void
}

/** The output: standard error, which may be a terminal. */
export interface Terminal {
  isTTY?: boolean
  write(text: string): unknown
}

const minIntervalMs = 100
const eraseLine = '\r\x1b[K'

export interface ProgressOptions {
  /** The name of the counted things, in the plural. */
  things?: string
  /** In milliseconds. */
  now?: () => number
}

export function openProgress(
  terminal: Terminal,
  { things = 'animals', now = () => performance.now() }: ProgressOptions = {},
): Progress {
  if (!terminal.isTTY) return { update() {}, clear() {} }
  const start = now()
  let shownAt = start
  let isShown = false
  return {
    update(done, part) {
      const at = now()
      if (at - shownAt < minIntervalMs) return
      shownAt = at
      isShown = true
      terminal.write(eraseLine + progressLine(done, things, at - start, part))
    },
    clear() {
      if (isShown) terminal.write(eraseLine)
      isShown = false
    },
  }
}

function progressLine(done: number, things: string, elapsed: number, part: number | undefined): string {
  const parts = [`${grouped(done)} ${things}`, `${grouped((done / elapsed) * 1000)} a second`]
  if (part !== undefined && part > 0) parts.push(`${duration((elapsed / part) * (1 - part))} left`)
  return `  ${parts.join(' · ')}`
}

function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
