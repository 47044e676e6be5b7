import { createStore, useStore } from './store.ts'
import { tabStorage } from './tab-storage.ts'
import { viewNames, views } from './views.ts'

const storageKey = 'petstore-shortcuts'

/** Shortcuts that work while nothing is typed. They can be turned off, for users of speech input. */
const enabled = createStore(tabStorage.get(storageKey) !== 'off')

const viewShortcuts = viewNames.flatMap((view) => {
  const { title, key }: { title: string; key?: string } = views[view]
  return key === undefined ? [] : [{ key, does: `Go to the ${title.toLowerCase()}`, view }]
})

const otherShortcuts = [
  { key: 'n', does: 'Add an animal' },
  { key: '/', does: 'Find an animal' },
  { key: '[', does: 'The page before' },
  { key: ']', does: 'The page after' },
  { key: 'z', does: 'Undo, while a notice offers it' },
  { key: '?', does: 'Show these keys' },
] as const

export const shortcuts = [...viewShortcuts, ...otherShortcuts]

export type Shortcut = (typeof viewShortcuts)[number] | (typeof otherShortcuts)[number]

export function useShortcutsEnabled(): boolean {
  return useStore(enabled)
}

export function enableShortcuts(isOn: boolean): void {
  tabStorage.set(storageKey, isOn ? 'on' : 'off')
  enabled.set(isOn)
}

/** The modifier that people of this system press for a command. */
export const commandKey = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '') ? '⌘' : 'Ctrl'

/** Calls `open` at Ctrl K or ⌘ K, also while something is typed, but not over a question. Returns a function to stop. */
export function listenForPalette(open: () => void): () => void {
  function onKeyDown(event: KeyboardEvent): void {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    if (!isCommand || event.key.toLowerCase() !== 'k') return
    // The browser has its own use for it.
    event.preventDefault()
    if (document.querySelector('dialog[open]:not(.sheet)') === null) open()
  }
  addEventListener('keydown', onKeyDown)
  return () => removeEventListener('keydown', onKeyDown)
}

/** Where a key is typed, or chooses something. A box that is ticked takes no letters. */
const typed = 'input:not([type=checkbox]), textarea, select'

/** Calls `act` with the shortcut of a key; it returns whether it did anything. Returns a function to stop. */
export function listenForShortcuts(act: (shortcut: Shortcut) => boolean): () => void {
  function onKeyDown(event: KeyboardEvent): void {
    const isIn = (selector: string) => event.target instanceof Element && event.target.closest(selector) !== null
    if (isIn(typed)) return
    const shortcut = shortcuts.find(({ key }) => key === event.key)
    if (shortcut === undefined) return
    const isUndo = shortcut.key === 'z'
    const isUndoCommand = isUndo && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    if (!isUndoCommand && (!enabled.get() || isCommand(event))) return
    // What is undone may be shown over a dialog. Everything else is behind it.
    if (!isUndo && isIn('dialog')) return
    if (act(shortcut)) event.preventDefault()
  }
  addEventListener('keydown', onKeyDown)
  return () => removeEventListener('keydown', onKeyDown)
}

/** Whether a key was pressed with a modifier that is not needed to type its sign, as AltGr or Option is for [ and ]. */
function isCommand(event: KeyboardEvent): boolean {
  if (event.getModifierState('AltGraph')) return false
  const isSign = !/^[a-z0-9]$/i.test(event.key)
  return event.ctrlKey || event.metaKey || (event.altKey && !isSign)
}
