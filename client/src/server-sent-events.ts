/** What stood between two blank lines of a stream. A sign of life, a comment, has nothing of it. */
export interface Frame {
  id?: string
  data?: string
  /** Milliseconds to wait before coming back. */
  retry?: number
}

/**
 * Reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). A frame that is cut off is
 * none. `read` resolves to the next bytes, undefined at the end. (Not EventSource, which cannot send an API key.)
 */
export async function* readFrames(read: () => Promise<Uint8Array | undefined>): AsyncGenerator<Frame, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  let lines: string[] = []
  for (let bytes = await read(); bytes !== undefined; bytes = await read()) {
    rest += decoder.decode(bytes, { stream: true })
    // A \r at the very end may be the first half of \r\n: it waits for what comes.
    const complete = rest.split(/\r\n|\n|\r(?!$)/)
    rest = complete.pop() ?? ''
    for (const line of complete) {
      if (line !== '') lines.push(line)
      else if (lines.length > 0) {
        yield frameOf(lines)
        lines = []
      }
    }
  }
}

function frameOf(lines: readonly string[]): Frame {
  const frame: Frame = {}
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'data') frame.data = frame.data === undefined ? value : `${frame.data}\n${value}`
    else if (name === 'id' && !value.includes('\0')) frame.id = value
    else if (name === 'retry' && /^[0-9]+$/.test(value)) frame.retry = Number(value)
  }
  return frame
}
