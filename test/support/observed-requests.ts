import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { AppOptions } from '../../src/http/app.ts'
import type { Answered, Observer } from '../../src/http/replies/observe.ts'
import { type Answer, rawRequest, readAnswers, startApp, type TestApp } from './app.ts'

export type Refused = Parameters<Observer['refused']>[0]

export interface Watched extends TestApp {
  answered: Answered[]
  refused: Refused[]
  failed: [error: Error, requestId: string | undefined][]
  /** The reasons of responses with status 503. */
  unavailable: string[]
}

export async function startWatched(t: TestContext, options: Partial<AppOptions> = {}): Promise<Watched> {
  const answered: Answered[] = []
  const refused: Refused[] = []
  const failed: Watched['failed'] = []
  const unavailable: string[] = []
  const app = await startApp(t, {
    ...options,
    observer: {
      answered: (observation) => answered.push(observation),
      refused: (observation) => refused.push(observation),
      streamOpened: () => undefined,
      streamEnded: () => undefined,
      unavailable: (reason) => unavailable.push(reason),
      failed: (error, requestId) => failed.push([error, requestId]),
    },
  })
  return { ...app, answered, refused, failed, unavailable }
}

/** The only observation of `list`, once there is one: a client may have its answer a moment before. */
export async function only<Observation>(list: Observation[]): Promise<Observation> {
  for (let wait = 0; list.length === 0 && wait < 2_000; wait++) await setTimeout(1)
  for (let tick = 0; tick < 10; tick++) await setImmediate()
  assert.equal(list.length, 1)
  return list[0] as Observation
}

export async function ask(app: TestApp, start: string, headers: readonly string[] = []): Promise<Answer> {
  const raw = await app.sendRaw(
    rawRequest(start, ['Host: petstore', 'Connection: close', `Authorization: Bearer ${app.key}`, ...headers]),
  )
  return readAnswers(raw)[0] as Answer
}
