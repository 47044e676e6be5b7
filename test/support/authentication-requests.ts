import assert from 'node:assert/strict'
import { type Answer, rawRequest, readAnswers, shareApp, type TestApp } from './app.ts'

export const sharedApp = shareApp()

/** Sends exactly these header lines beside Host and Connection. */
export async function ask(app: TestApp, headers: readonly string[], start = 'GET /v1/pets'): Promise<Answer> {
  const raw = await app.sendRaw(rawRequest(start, ['Host: petstore', 'Connection: close', ...headers]))
  return readAnswers(raw).at(-1) as Answer
}

/** Asks often enough with a good key for the answer to come from memory. */
export async function askRepeatedly(app: TestApp, start?: string): Promise<void> {
  for (let times = 0; times < 3; times++) assert.equal((await ask(app, withKey(app.key), start)).status, 200)
}

export function withKey(key: string): string[] {
  return [`Authorization: Bearer ${key}`]
}
