/** Where the focus was, and what is beside it. */
interface Place {
  element: HTMLElement
  /** The row of a list, the list, and the position of the row in it. */
  row?: { element: Element; list: Element; index: number }
  /** In a dialog or a notice, which end: the place before counts then. */
  isPassing: boolean
}

const maxPlaces = 20
const focusable = 'a[href], button:not([disabled]), summary'

/**
 * Keeps the focus in the page. A browser gives it to the body when its element goes: the next Tab would begin at the top,
 * and a screen reader at the title. It goes to the same row, to the row that took its place, or to the heading.
 */
export function keepFocus(root: HTMLElement): void {
  const places: Place[] = []
  root.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    places.push(placeOf(target))
    if (places.length > maxPlaces) places.shift()
  })
  new MutationObserver(() => {
    const last = places.at(-1)
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (!isLost || last === undefined || last.element.isConnected) return
    const next = nextOf(places)
    places.length = 0
    // What the user sees stays where it is.
    next?.focus({ preventScroll: true })
  }).observe(root, { childList: true, subtree: true })
}

function placeOf(element: HTMLElement): Place {
  const isPassing = element.closest('dialog, .notices') !== null
  const row = element.closest('tr, li')
  const list = row?.parentElement ?? null
  if (row === null || list === null) return { element, isPassing }
  return { element, isPassing, row: { element: row, list, index: [...list.children].indexOf(row) } }
}

function nextOf(places: readonly Place[]): HTMLElement | undefined {
  for (const { element, row, isPassing } of places.toReversed()) {
    if (canHaveFocus(element)) return element
    const inRow = row === undefined ? undefined : controlOf(row)
    if (inRow !== undefined) return inRow
    if (!isPassing) break
  }
  return heading()
}

function controlOf({ element, list, index }: NonNullable<Place['row']>): HTMLElement | undefined {
  const row = element.isConnected ? element : list.children[Math.min(index, list.children.length - 1)]
  return [...(row?.querySelectorAll<HTMLElement>(focusable) ?? [])].find(canHaveFocus)
}

/** Whether it is in the page, and not behind a dialog. */
function canHaveFocus(element: HTMLElement): boolean {
  const dialog = topDialog()
  return element.isConnected && (dialog === undefined || dialog.contains(element))
}

function topDialog(): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('dialog:modal')].at(-1)
}

function heading(): HTMLElement | undefined {
  const found = topDialog()?.querySelector<HTMLElement>('h2') ?? document.querySelector<HTMLElement>('main h1')
  if (found === null) return undefined
  found.tabIndex = -1
  return found
}
