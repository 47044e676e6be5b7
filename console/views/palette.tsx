import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { errorText } from '../api/error-text.ts'
import { Dialog } from '../components/dialog.tsx'
import { plural, shortName } from '../components/format.ts'
import { Icon, type IconName } from '../components/icons.tsx'
import { useSearchText } from '../components/loading.tsx'
import { statusText } from '../components/status.tsx'
import { type Action, actionsFor, matchActions } from '../state/actions.ts'
import { go, openAnimal, openOrder } from '../state/route.ts'
import { canBeFound } from '../state/search-text.ts'
import { useMay } from '../state/session.ts'
import { type ShopResults, useShopSearch } from '../state/shop-search.ts'

interface Option {
  key: string
  icon: IconName
  text: ComponentChildren
  /** Said quietly at the end of the line. */
  note: string
  run: () => void
}

interface PaletteProps {
  openHelp: () => void
  onClose: () => void
}

/** One box for animals, orders, customers, categories and actions: the combobox of the ARIA patterns. */
export function Palette({ openHelp, onClose }: PaletteProps): VNode {
  const may = useMay()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<string>()
  const [isEntered, setEntered] = useState(false)
  const text = typed.trim().replace(/^#(?=\d+$)/, '')
  const search = useShopSearch(canBeFound(text) ? text : '', may)
  const { strong, weak } = matchActions(actionsFor(may, openHelp), text)
  const options = [...strong.map(actionOption), ...optionsOf(search), ...weak.map(actionOption)]
  const active = Math.max(
    0,
    options.findIndex(({ key }) => key === chosen),
  )
  const searchText = useSearchText(search.isSearching)

  function run(option: Option | undefined): void {
    if (option === undefined) return
    onClose()
    option.run()
  }
  // What is found is put between the actions, so the first option is certain only if it is a strong one.
  const isCertain = !search.isSearching || strong.length > 0 || options[active]?.key === chosen
  const hasWaited = useRef(false)
  useEffect(() => {
    if (!isEntered) return
    if (!isCertain) {
      hasWaited.current = true
      return
    }
    // Nothing was found meanwhile: a weak action is what is left, not what was meant. A second Enter runs it.
    const isLeft = hasWaited.current && active >= options.length - weak.length && options[active]?.key !== chosen
    hasWaited.current = false
    if (isLeft) setEntered(false)
    else run(options[active])
  }, [isEntered, isCertain])
  useEffect(() => document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' }), [active])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      setEntered(false)
      setChosen(options.at((active + step) % options.length)?.key)
    } else if (event.key === 'Enter') setEntered(true)
    else return
    event.preventDefault()
  }
  return (
    <Dialog label="Find or do something" className="palette" onClose={onClose}>
      <div class="palette-field">
        <Icon name="search" />
        <input
          autofocus
          role="combobox"
          aria-label="Find an animal, an order, a customer, a category or an action"
          aria-expanded={options.length > 0 ? 'true' : 'false'}
          aria-controls="palette-list"
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? optionId(active) : undefined}
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          maxlength={100}
          placeholder="Find or do something"
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value)
            setChosen(undefined)
            setEntered(false)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <ul id="palette-list" role="listbox" aria-label="Results" onMouseDown={(event) => event.preventDefault()}>
        {options.map((option, index) => (
          <li
            key={option.key}
            id={optionId(index)}
            role="option"
            aria-selected={index === active ? 'true' : 'false'}
            onClick={() => run(option)}
          >
            <Icon name={option.icon} />
            <span dir="auto">{option.text}</span> <span class="quiet">{option.note}</span>
          </li>
        ))}
      </ul>
      {search.error !== undefined && (
        <p class="note fault" role="alert">
          Not everything could be searched. {errorText(search.error)}
        </p>
      )}
      <p class="note" role="status">
        {searchText || (search.isSearching ? '' : countText(options.length, search.hasMore))}
      </p>
    </Dialog>
  )
}

function optionId(index: number): string {
  return `palette-option-${index}`
}

function countText(count: number, hasMore = false): string {
  if (hasMore) return `The first ${plural(count, 'result', 'results')}: type more to find others`
  return count === 0 ? 'Nothing found' : plural(count, 'result', 'results')
}

function actionOption({ text, run }: Action): Option {
  return { key: `action ${text}`, icon: 'forward', text, note: '', run }
}

/** What was found, as options; the customers of the found orders too. */
function optionsOf({ animals, orders, categories }: ShopResults): Option[] {
  const customers = new Set(orders.flatMap(({ customer }) => customer ?? []))
  return [
    ...animals.map(
      ({ id, name, status }): Option => ({
        key: `animal ${id}`,
        icon: 'animals',
        text: shortName(name),
        note: `Animal ${id} · ${statusText[status ?? 'none']}`,
        run: () => openAnimal(id),
      }),
    ),
    ...orders.map(
      ({ id, customer, status }): Option => ({
        key: `order ${id}`,
        icon: 'orders',
        text: customer === undefined ? `Order ${id}` : `Order ${id} for ${shortName(customer)}`,
        note: statusText[status],
        run: () => openOrder(id),
      }),
    ),
    ...[...customers].map(
      (customer): Option => ({
        key: `customer ${customer}`,
        icon: 'orders',
        text: shortName(customer),
        note: 'Customer',
        // The search takes at most 100 characters.
        run: () => go('orders', { status: 'all', find: Array.from(customer).slice(0, 100).join('') }),
      }),
    ),
    ...categories.map(
      ({ id, name }): Option => ({
        key: `category ${id}`,
        icon: 'stock',
        text: shortName(name),
        note: 'Category',
        run: () => go('animals', { category: String(id) }),
      }),
    ),
  ]
}
