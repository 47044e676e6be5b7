import { createStore, useStore } from './store.js'

const kept = 'petstore-shortcuts'

/** Keys that do something when nothing is being typed. They can be turned off, for who speaks to the machine. */
const enabled = createStore(sessionStorage.getItem(kept) !== 'off')

export const shortcuts = [
  { key: 's', does: 'Go to the stock' },
  { key: 'a', does: 'Go to the animals' },
  { key: 'o', does: 'Go to the orders' },
  { key: 'n', does: 'Add an animal' },
  { key: '/', does: 'Go to an animal by its number' },
  { key: '[', does: 'The page before' },
  { key: ']', does: 'The page after' },
  { key: '?', does: 'Show these keys' },
]

export function useShortcutsEnabled() {
  return useStore(enabled)
}

export function enableShortcuts(isOn) {
  sessionStorage.setItem(kept, isOn ? 'on' : 'off')
  enabled.set(isOn)
}

/** Calls `act` with the key of a shortcut. Returns how to stop. */
export function listenForShortcuts(act) {
  function pressed(event) {
    const isTyping = event.target.closest?.('input, textarea, select, dialog') !== null
    if (!enabled.get() || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    if (!shortcuts.some(({ key }) => key === event.key)) return
    if (act(event.key)) event.preventDefault()
  }
  addEventListener('keydown', pressed)
  return () => removeEventListener('keydown', pressed)
}
