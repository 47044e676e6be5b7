/** The ticks of the event loop that others have while `run` runs. */
export async function ticksDuring(run: () => Promise<unknown>): Promise<number> {
  let ticks = 0
  let next = setImmediate(count)
  function count(): void {
    ticks++
    next = setImmediate(count)
  }
  await run()
  clearImmediate(next)
  return ticks
}
