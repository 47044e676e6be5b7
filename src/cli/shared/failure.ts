/** Something the user of the command line can mend, in one sentence: what is wrong, and the way out. */
export class Failure extends Error {
  override readonly name = 'Failure'
}
