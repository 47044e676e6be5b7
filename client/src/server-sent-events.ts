/** What stood between two blank lines of a stream. A comment, which is a sign of life, makes an empty one. */
export interface Frame {
  id?: string
  data?: string
  /** How long to wait before connecting again. */
  retryMs?: number
}

/**
 * Reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). A frame that is cut off is
 * none. `read` resolves to the next bytes, undefined at the end. (Not EventSource, which cannot send an API key.)
 */
export async function* readFrames(read: () => Promise<Uint8Array | undefined>): AsyncGenerator<Frame, void, undefined> {
  const decoder = new TextDecoder()
  let unfinishedLine = ''
  let lines: string[] = []
  let endedInCr = false
  for (let bytes = await read(); bytes !== undefined; bytes = await read()) {
    let text = decoder.decode(bytes, { stream: true })
    if (text === '') continue
    // The second half of a \r\n whose first half ended the line before.
    if (endedInCr && text.startsWith('\n')) text = text.slice(1)
    endedInCr = text.endsWith('\r')
    // Only what is new is searched, so a long line in small pieces costs no more than in one.
    const [end = '', ...rest] = text.split(/\r\n|\n|\r/)
    const complete = [unfinishedLine + end, ...rest]
    unfinishedLine = complete.pop() ?? ''
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
    else if (name === 'retry' && /^[0-9]+$/.test(value)) frame.retryMs = Number(value)
  }
  return frame
}
