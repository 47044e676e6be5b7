import { createStore, useStore } from './store.js'

/** In milliseconds. Nothing in a notice is found only there, so it may go. */
const shownFor = 8_000

const notices = createStore([])
let count = 0

export function useNotices() {
  return useStore(notices)
}

/** Tells that something was done. Shown for a while, and read out. `text` may hold a name, which is only text. */
export function announce(text, link) {
  const notice = { number: ++count, text, link }
  notices.set([...notices.get().slice(-2), notice])
  setTimeout(() => dismiss(notice.number), shownFor)
}

export function dismiss(number) {
  notices.set(notices.get().filter((notice) => notice.number !== number))
}
