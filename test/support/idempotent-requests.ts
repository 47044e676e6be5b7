import { type Answer, shareApp, type TestApp } from './app.ts'

export const rex = '{"name":"Rex","categoryId":1}'
export const tom = '{"name":"Tom","categoryId":1}'
export const sharedApp = shareApp()
export const day = 24 * 60 * 60 * 1000

export async function countAnimals(send: TestApp['send']): Promise<number> {
  const { headers } = await send('/v1/pets', { headers: { prefer: 'count=exact' } })
  return Number(headers.get('x-total-count'))
}

export function idOf(answer: Answer): number {
  return (answer.body as { id: number }).id
}
