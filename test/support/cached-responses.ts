import type { Answer, TestApp } from './app.ts'

/** Asks until the answer comes from memory: the first two are read. */
export async function warm({ send }: TestApp, path: string): Promise<Answer> {
  for (let times = 0; times < 2; times++) await send(path)
  return send(path)
}
