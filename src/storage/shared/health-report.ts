/**
 * Called when something becomes wrong with a database, with a sentence for the operator, and with none once it is well
 * again; then perhaps with a sentence about that.
 */
export type HealthReport = (problem: string | undefined, recovery?: string) => void
