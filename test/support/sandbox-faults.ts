import { startSandbox } from './sandbox.ts'

export const rex = { name: 'Rex', categoryId: 1, status: 'available' }
export const prefer = (fault: string) => ({ prefer: `fault=${fault}` })
export const countIn = async ({ send }: Awaited<ReturnType<typeof startSandbox>>, shop = 'a') =>
  ((await send(shop, '/pets')).body as unknown[]).length
