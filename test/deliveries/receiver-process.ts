import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

// node receiver-process.ts PORT FILE SECRET: a receiver that can be killed. It writes a line for each delivery, then
// responds: `17` for the event 17 with a valid signature, `invalid` otherwise.

const [port = '', file = '', secret = ''] = process.argv.slice(2)
const webhook = new Webhook(secret)

createServer(async (request, response) => {
  let body = ''
  try {
    for await (const bytes of request) body += String(bytes)
  } catch {
    return // The sender is gone.
  }
  appendFileSync(file, `${idOf(body, request.headers as Record<string, string>)}\n`)
  response.writeHead(204).end()
}).listen(Number(port), '127.0.0.1', () => console.log('listening'))

function idOf(body: string, headers: Record<string, string>): string {
  try {
    return String(BigInt((webhook.verify(body, headers) as { sequence: string }).sequence))
  } catch {
    return 'invalid'
  }
}
