const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds in a time such as 90d, 12h, 30m or 45s; undefined for other text. */
export function readDuration(text: string): number | undefined {
  const [, amount, unit = ''] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * (units[unit] as number)
}
