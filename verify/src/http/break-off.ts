import { connect, encode, type HttpRequest } from './send.ts'

/** Between the last byte and the end of the connection. */
const gapMs = 10
/** For the connection to be there. */
const maxMs = 1000

/** Sends the first bytes of a request, or all but the last ones if `end` is negative, and ends the connection. */
export function breakOff(request: HttpRequest, end: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(request.url)
    const timer = setTimeout(() => socket.destroy(), maxMs)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
    socket.write(encode(request).subarray(0, end), () => setTimeout(() => socket.destroy(), gapMs))
  })
}
