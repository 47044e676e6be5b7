import { go, openAnimal } from './route.ts'
import { type May, signOut } from './session.ts'
import { begin } from './task.ts'
import { isOffered, viewNames, views } from './views.ts'

/** Something that can be done from anywhere. */
export interface Action {
  text: string
  /** Other words for it. */
  keywords?: string
  run: () => void
}

/** The actions that this key may use. */
export function actionsFor(may: May, openHelp: () => void): readonly Action[] {
  const tasks = [
    { needs: 'importPets', text: 'Import animals', keywords: 'file csv upload', run: () => begin('animals', 'import') },
    { needs: 'placeOrder', text: 'New order', keywords: 'place sell customer', run: () => begin('orders', 'order') },
    {
      needs: 'exportPets',
      text: 'Export animals',
      keywords: 'file csv download',
      run: () => begin('animals', 'export'),
    },
    {
      needs: 'exportOrders',
      text: 'Export orders',
      keywords: 'file csv download',
      run: () => begin('orders', 'export'),
    },
    {
      needs: 'createInvitation',
      text: 'Invite a colleague',
      keywords: 'people key',
      run: () => begin('keys', 'invite'),
    },
  ] as const
  return [
    ...(may('createPet') ? [{ text: 'Add an animal', keywords: 'new pet create', run: () => openAnimal('new') }] : []),
    // Before the tasks: who types "orders" wants to see them.
    ...viewNames
      .filter((view) => isOffered(view, may))
      .map((view) => ({ text: `Go to ${views[view].title}`, keywords: 'open show', run: () => go(view) })),
    ...tasks.filter(({ needs }) => may(needs)),
    { text: 'Show the keyboard shortcuts', keywords: 'help keys', run: openHelp },
    { text: 'Sign out', keywords: 'log out leave', run: () => signOut('left') },
  ]
}

export interface MatchingActions {
  /** Each word that was typed begins a word of their text. */
  strong: readonly Action[]
  /** Found by other words for them, or by the typed letters in that order: what the shop has comes first. */
  weak: readonly Action[]
}

/** The actions that are meant by a text; all of them by none. */
export function matchActions(actions: readonly Action[], text: string): MatchingActions {
  const wanted = wordsOf(text)
  const letters = wanted.join('')
  const beginIn = (of: string) => {
    const words = wordsOf(of)
    return wanted.every((start) => words.some((word) => word.startsWith(start)))
  }
  const strong = actions.filter((action) => beginIn(action.text))
  if (letters.length < 2) return { strong, weak: [] }
  const others = actions.filter((action) => !strong.includes(action))
  const byKeyword = others.filter(({ text, keywords = '' }) => beginIn(`${text} ${keywords}`))
  const byLetters = others.filter(({ text }) => hasInOrder(wordsOf(text).join(''), letters))
  return { strong, weak: [...new Set([...byKeyword, ...byLetters])] }
}

/** Without case and accents. */
function wordsOf(text: string): string[] {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return folded.match(/[\p{L}\p{N}]+/gu) ?? []
}

function hasInOrder(text: string, letters: string): boolean {
  let from = 0
  for (const letter of letters) {
    const at = text.indexOf(letter, from)
    if (at === -1) return false
    from = at + letter.length
  }
  return true
}
