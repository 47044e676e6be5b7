import { grouped } from './format.ts'

/** How far a long piece of work is, on one line of a terminal that is written over and over. Elsewhere, nothing. */
export interface Progress {
  /** `part` is how much of the work is done, from 0 to 1, where that is known. */
  update(done: number, part?: number): void
  /** Takes the line away, so that another can be written. */
  clear(): void
}

/** Where it is written: standard error, which may or may not be a terminal. */
export interface Terminal {
  isTTY?: boolean
  write(text: string): unknown
}

/** In milliseconds. */
const leastApart = 100
const eraseLine = '\r\x1b[K'

export interface ProgressOptions {
  /** What is counted, in the plural. */
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
      if (at - shownAt < leastApart) return
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
  const told = [`${grouped(done)} ${things}`, `${grouped((done / elapsed) * 1000)} a second`]
  if (part !== undefined && part > 0) told.push(`${duration((elapsed / part) * (1 - part))} left`)
  return `  ${told.join(' · ')}`
}

function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
