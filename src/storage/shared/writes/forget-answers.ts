/** Responses deleted per transaction: few enough that other writes do not wait long. */
const maxDeletedAnswers = 1_000

/** Deletes the oldest responses of idempotency keys, on every engine. The parameter is the latest time of these. */
export function forgetAnswersSql(latest: string): string {
  return `
    DELETE FROM attempts WHERE (key_id, name) IN
      (SELECT key_id, name FROM attempts WHERE made_at <= ${latest} ORDER BY made_at LIMIT ${maxDeletedAnswers})`
}
