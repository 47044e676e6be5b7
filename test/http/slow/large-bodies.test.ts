import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { clients, refusals } from '../../support/large-bodies.ts'

const rounds = 10

for (const [name, send] of Object.entries(clients)) {
  for (const [status, refusal] of Object.entries(refusals)) {
    // fetch refuses to send an expectation.
    if (name === 'fetch' && status === '417') continue

    test(`a client that sends 5 MB at once always gets its ${status}: ${name}`, async (t) => {
      const app = await startApp(t)
      const [path, headers] = refusal(app)

      for (let round = 0; round < rounds; round++) {
        assert.equal(await send(app, path, headers), Number(status), `round ${round}`)
      }
    })
  }
}
