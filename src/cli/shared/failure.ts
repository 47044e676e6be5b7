/** An error that the user can fix. The message is one sentence: what is wrong, and how to fix it. */
export class Failure extends Error {
  override readonly name = 'Failure'
}
