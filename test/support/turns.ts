/** The turns of the event loop that others have while `run` runs. */
export async function turnsDuring(run: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next = setImmediate(count)
  function count(): void {
    turns++
    next = setImmediate(count)
  }
  await run()
  clearImmediate(next)
  return turns
}
