/** Why there is no HTTP response. The message is a part of a sentence, about the server. */
export class HttpFault extends Error {
  override readonly name = 'HttpFault'
}
