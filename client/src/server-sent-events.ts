/** A block between two blank lines of a stream. A comment, used as a heartbeat, is an empty frame. */
export interface Frame {
  id?: string
  data?: string
  /** The delay before reconnecting. */
  retryMs?: number
}

/**
 * Reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). An incomplete frame is
 * dropped. (EventSource cannot send an API key.)
 */
export async function* readFrames(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void, undefined> {
  const decoder = new TextDecoder()
  let unfinishedLine = ''
  let frame: Frame | undefined
  let endedInCr = false
  for await (const bytes of parts) {
    let text = decoder.decode(bytes, { stream: true })
    if (text === '') continue
    // The second half of a \r\n whose \r ended the line before.
    if (endedInCr && text.startsWith('\n')) text = text.slice(1)
    endedInCr = text.endsWith('\r')
    // Searches only the new text, so a long line in small chunks costs no more than in one.
    const [end = '', ...rest] = text.split(/\r\n|\n|\r/)
    const complete = [unfinishedLine + end, ...rest]
    unfinishedLine = complete.pop() ?? ''
    for (const line of complete) {
      if (line !== '') addLine((frame ??= {}), line)
      else if (frame) {
        yield frame
        frame = undefined
      }
    }
  }
}

function addLine(frame: Frame, line: string): void {
  const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
  if (name === 'data') frame.data = frame.data === undefined ? value : `${frame.data}\n${value}`
  else if (name === 'id' && !value.includes('\0')) frame.id = value
  else if (name === 'retry' && /^[0-9]+$/.test(value)) frame.retryMs = Number(value)
}
