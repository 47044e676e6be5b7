// Asks a running service one thing and ends with 0 for the answer 200, with 1 for anything else and for silence. It is here
// because the image has neither a shell nor curl.
//
//   node healthcheck.js            is this container alive?
//   node healthcheck.js ADDRESS    does that address answer 200?
import http from 'node:http'
import https from 'node:https'

const patience = 3_000 // milliseconds
// Alive, not ready: where a failed health check means a restart, a database that is away for a minute must not cause one.
const scheme = process.env.PETSTORE_TLS_CERT ? 'https' : 'http'
const address = process.argv[2] ?? `${scheme}://127.0.0.1:${process.env.PETSTORE_PORT || '8080'}/livez`

// The certificate is not for 127.0.0.1, and this container needs no proof of itself.
const { get } = address.startsWith('https:') ? https : http
const request = get(address, { rejectUnauthorized: false }, (answer) =>
  end(answer.statusCode === 200 ? 0 : 1, `${address} answered ${answer.statusCode}`),
)
request.on('error', (error) => end(1, `${address} did not answer: ${error.message}`))
setTimeout(() => end(1, `${address} did not answer within ${patience} ms`), patience)

function end(code, sentence) {
  process.stdout.write(`${sentence}\n`)
  process.exit(code)
}
