import type { Statement } from './database.ts'

// Every new attempt sweeps out two old ones, so the table shrinks as it is used and nothing has to run on a timer. Not
// prepared: a plan for any number would go through all attempts to find a few.
export const forgetAttempts: Statement = {
  text: `
    DELETE FROM attempts WHERE (key_id, name) IN
      (SELECT key_id, name FROM attempts WHERE made_at <= $1 ORDER BY made_at LIMIT $2)`,
}
