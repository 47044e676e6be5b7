/** Reads the next item while one is being used. Whatever ends it, reading has ended, too. */
export async function* readAhead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = items.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done === true) return
      next = items.next()
      next.catch(() => undefined)
      yield value
    }
  } finally {
    await items.return(undefined)
  }
}
