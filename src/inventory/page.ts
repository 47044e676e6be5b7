export interface Page<Item> {
  items: Item[]
  /** Whether anything follows the last item. */
  more: boolean
}
