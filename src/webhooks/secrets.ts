import type { Endpoint } from '../inventory/webhooks.ts'

/** The secrets that sign: the current one, and the one before until it expires. */
export function secretsOf(
  { secret, previousSecret }: Pick<Endpoint, 'secret' | 'previousSecret'>,
  now: number,
): string[] {
  return previousSecret === undefined || previousSecret.expiresAt <= now ? [secret] : [secret, previousSecret.secret]
}
