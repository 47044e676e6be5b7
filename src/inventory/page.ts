export interface Page<Item> {
  items: Item[]
  /** Whether anything follows the last item. */
  more: boolean
  /** Where there is more: the history that belongs to the last item's id in a position (contract/position.ts). */
  history?: string
}
