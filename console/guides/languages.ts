import { tabStorage } from '../state/tab-storage.ts'

/** The language that was chosen last, in this tab. */
const storageKey = 'petstore-language'

interface Languages {
  panels: readonly HTMLElement[]
  choose(panel: HTMLElement): void
}

const all: Languages[] = []

/** Turns the sections of the languages into tabs. The address, or the choice on another page, says which is first. */
export function showLanguages(): void {
  for (const group of document.querySelectorAll<HTMLElement>('.languages')) all.push(tabsOf(group))
  const chosen = tabStorage.get(storageKey)
  for (const { panels, choose } of all) {
    const first = panels.find(({ id }) => id === chosen) ?? panels[0]
    if (first !== undefined) choose(first)
  }
  addEventListener('hashchange', showTarget)
  showTarget()
}

/** Shows the language that contains this element. */
export function reveal(element: Element | null): void {
  for (const { panels, choose } of all) {
    const panel = panels.find((one) => one.contains(element))
    if (panel?.hidden === true) choose(panel)
  }
}

function showTarget(): void {
  const target = document.getElementById(targetId())
  if (target === null) return
  reveal(target)
  target.scrollIntoView()
}

/** The part of the address after `#`; empty if its escapes are broken. */
function targetId(): string {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return ''
  }
}

function tabsOf(group: HTMLElement): Languages {
  const panels = [...group.querySelectorAll<HTMLElement>(':scope > section')]
  const list = document.createElement('div')
  list.className = 'tabs'
  list.role = 'tablist'
  list.ariaLabel = 'Language'
  const tabs = panels.map((panel) => tabOf(panel, () => choose(panel)))

  function choose(chosen: HTMLElement): void {
    for (const [index, panel] of panels.entries()) {
      const isChosen = panel === chosen
      panel.hidden = !isChosen
      const tab = tabs[index] as HTMLElement
      tab.ariaSelected = String(isChosen)
      tab.tabIndex = isChosen ? 0 : -1
    }
    tabStorage.set(storageKey, chosen.id)
  }

  list.addEventListener('keydown', (event) => {
    const at = tabs.findIndex((tab) => tab === document.activeElement)
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = tabs.at(to % tabs.length)
    next?.focus()
    next?.click()
  })
  list.append(...tabs)
  group.prepend(list)
  return { panels, choose }
}

function tabOf(panel: HTMLElement, choose: () => void): HTMLElement {
  const tab = document.createElement('button')
  tab.type = 'button'
  tab.role = 'tab'
  tab.id = `${panel.id}-tab`
  tab.textContent = panel.querySelector('h2')?.textContent ?? panel.id
  tab.setAttribute('aria-controls', panel.id)
  tab.addEventListener('click', choose)
  panel.role = 'tabpanel'
  panel.setAttribute('aria-labelledby', tab.id)
  return tab
}
