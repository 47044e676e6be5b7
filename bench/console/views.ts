import type { Page } from 'playwright-core'

/** What somebody does, and is then shown. */
export interface Step {
  name: string
  /** The view where it begins; the keys by default. */
  from?: string
  act(page: Page): Promise<unknown>
}

/** What is measured, in the order of the table. */
export const steps: readonly Step[] = [
  ...views({
    Stock: 'stock',
    'Stock by category': 'categories',
    'Stock by category, largest first': 'categories?sort=largest',
    'Stock by category, found': 'categories?find=kind%2029',
    Animals: 'animals',
    'Animals, available': 'animals?status=available',
    'Animals, pending': 'animals?status=pending',
    'Animals, sold': 'animals?status=sold',
    'Animals, without a status': 'animals?status=none',
    'Animals, of a category': 'animals?category=7',
    'Animals, of a category, sold': 'animals?category=7&status=sold',
    'Animals, newest first': 'animals?sort=-id',
    'Animals of a category, by name': 'animals?category=7&sort=name',
    'Animals of a category, by name, Z first': 'animals?category=7&sort=-name',
    'Animals found by a frequent word': 'animals?find=rex',
    'Animals found by two words': 'animals?find=luna%20wil',
    'Animals found by a word that nobody has': 'animals?find=xylophone',
    'Animals found in a category, sold': 'animals?find=rex&category=7&status=sold',
    'Animals found, by name': 'animals?find=th&sort=name',
    'An animal with its history': 'animals?animal=120001',
    Orders: 'orders',
    'Orders, completed': 'orders?status=completed',
    'Orders, cancelled': 'orders?status=cancelled',
    'Orders, all': 'orders?status=all',
    'Orders of a customer': 'orders?status=all&find=customer12345',
    'Orders of nobody': 'orders?status=all&find=nobody',
    'Orders of one customer, by the link': 'orders?status=all&customer=Customer12345',
    'Orders found by the name of an animal': 'orders?find=rex',
    'An order with its history': 'orders?order=10000',
    Activity: 'activity',
    'Activity of a person': 'activity?by=key_ada',
    'Activity of a kind, rare': 'activity?kind=order.cancelled',
    'Activity of a kind that never happened': 'activity?kind=pet.deleted',
    Keys: 'keys',
    Webhooks: 'webhooks',
    Settings: 'settings',
  }),
  {
    name: 'Next page of animals',
    from: 'animals',
    act: (page) => page.getByRole('link', { name: 'Next' }).click(),
  },
  ...palette({
    'Ctrl K, a name': 'rex',
    'Ctrl K, a number': '120001',
    'Ctrl K, a customer': 'customer12345',
    'Ctrl K, a category': 'kind 29',
    'Ctrl K, nothing': 'xylophone',
  }),
]

function views(addresses: Record<string, string>): Step[] {
  return Object.entries(addresses).map(([name, address]) => ({
    name,
    from: address === 'keys' ? 'settings' : 'keys',
    act: (page) => page.evaluate(`location.hash = '#/${address}'`),
  }))
}

/** Types at once: the pause after the last letter, 200 ms, is in the figure. */
function palette(texts: Record<string, string>): Step[] {
  return Object.entries(texts).map(([name, text]) => ({
    name,
    from: 'keys',
    async act(page) {
      await page.keyboard.press('Control+k')
      await page.keyboard.insertText(text)
    },
  }))
}
