import type { Answer } from './app.ts'

export function messageOf(answer: Answer): string {
  return (answer.body as { message: string }).message
}
