import type { Backups } from '../backups/schedule.ts'
import { gauge, type Metric } from './metric.ts'

/** None without scheduled backups. */
export function backupMetrics(backups: Backups | undefined): Metric[] {
  if (backups === undefined) return []
  return [
    ...gauge(
      'petstore_backup_last_success_timestamp_seconds',
      'Time of the latest good backup; 0 without one.',
      backups.lastSuccessAt / 1_000,
    ),
    {
      name: 'petstore_backup_failures_total',
      help: 'Backups that failed.',
      type: 'counter',
      values: [['', backups.failures]],
    },
  ]
}
