import { service } from '../api/service.ts'

export interface ChartDay {
  /** In UTC. */
  date: string
  added: number
  sold: number
}

/** The last 30 days, the earliest first. */
export async function readDays(signal: AbortSignal): Promise<ChartDay[]> {
  const days = await service().orders.days({}, { signal })
  return days.map(({ date, added, completed }) => ({ date, added: Number(added), sold: Number(completed) }))
}
