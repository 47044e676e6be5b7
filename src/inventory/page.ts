export interface Page<Item> {
  items: Item[]
  /** Whether a next page exists. */
  more: boolean
  /** If a next page exists: the history for the position of the last item (contract/position.ts). */
  history?: string
}
