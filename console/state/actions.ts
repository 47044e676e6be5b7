import { go, openAnimal } from './route.ts'
import { type May, signOut } from './session.ts'

/** Something that can be done from anywhere. */
export interface Action {
  text: string
  /** Other words for it. */
  keywords?: string
  run: () => void
}

/** Views that can be gone to, with their titles. */
export interface ViewLink {
  view: Parameters<typeof go>[0]
  title: string
}

/** The actions that this key may use. */
export function actionsFor(may: May, views: readonly ViewLink[], openHelp: () => void): readonly Action[] {
  return [
    ...(may('createPet') ? [{ text: 'Add an animal', keywords: 'new pet create', run: () => openAnimal('new') }] : []),
    ...views.map(({ view, title }) => ({ text: `Go to ${title}`, keywords: 'open show', run: () => go(view) })),
    { text: 'Show the keyboard shortcuts', keywords: 'help keys', run: openHelp },
    { text: 'Sign out', keywords: 'log out leave', run: () => signOut('left') },
  ]
}

export interface MatchingActions {
  /** Each word that was typed begins one of theirs. */
  strong: readonly Action[]
  /** They have the typed letters in that order. */
  weak: readonly Action[]
}

/** The actions that are meant by a text; all of them by none. */
export function matchActions(actions: readonly Action[], text: string): MatchingActions {
  const wanted = wordsOf(text)
  const letters = wanted.join('')
  const strong = actions.filter(({ text, keywords = '' }) => {
    const words = wordsOf(`${text} ${keywords}`)
    return wanted.every((start) => words.some((word) => word.startsWith(start)))
  })
  const isWeak = (action: Action) => !strong.includes(action) && hasInOrder(wordsOf(action.text).join(''), letters)
  return { strong, weak: letters.length < 2 ? [] : actions.filter(isWeak) }
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
