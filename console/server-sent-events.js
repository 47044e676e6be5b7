/**
 * Reads server-sent events: takes the text of a stream piece by piece, and returns the frames that each piece completes.
 * A line ends with \n, \r\n or \r and nothing else: U+2028 may stand in a name. (EventSource cannot send an API key.)
 */
export function frameReader() {
  let unfinishedLine = ''
  let endedInCr = false
  let frame = {}

  function readLine(line) {
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'id') frame.id = value
    if (name === 'data') frame.data = frame.data === undefined ? value : `${frame.data}\n${value}`
  }

  return function read(piece) {
    const frames = []
    if (piece === '') return frames
    // The second half of a \r\n whose first half ended the line before.
    const text = endedInCr && piece.startsWith('\n') ? piece.slice(1) : piece
    endedInCr = piece.endsWith('\r')
    const lines = (unfinishedLine + text).split(/\r\n|\n|\r/)
    unfinishedLine = lines.pop()
    for (const line of lines) {
      if (line !== '') {
        readLine(line)
      } else {
        frames.push(frame)
        frame = {}
      }
    }
    return frames
  }
}
