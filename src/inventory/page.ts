export interface Page<Item> {
  items: Item[]
  /** Whether a next page exists. */
  more: boolean
  /**
   * The id after which the next page starts, if that is not the last item: a search may end a page early, and
   * a damaged row is left out.
   */
  next?: bigint
}

/** The id after which the next page starts. Undefined if there is none. */
export function endOf(page: Page<{ id: bigint }>): bigint | undefined {
  return page.more ? (page.next ?? page.items.at(-1)?.id) : undefined
}
