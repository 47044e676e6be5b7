import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Category, Int64, Page } from '../../../client/src/index.ts'
import { useSearchText } from '../../components/loading.tsx'
import type { Live } from '../../state/live.ts'
import { firstPage } from '../../state/page-stack.ts'
import { hrefWith, type Query, replaceWith } from '../../state/route.ts'
import { canBeFound } from '../../state/search-text.ts'
import { visibleText } from '../../state/visible-text.ts'

/** After the last letter, in milliseconds. */
const pauseMs = 250

interface FindBoxProps {
  /** What the address says. */
  text: string
  placeholder: string
  /** What was found for it. */
  page: Live<Page<{ id: Int64 }>>
  /** What the address has no longer once something is looked for. */
  replaces?: Query
  /** The number that a text means. Without it, a text means only itself. */
  numberOf?: (text: string) => string | undefined
  /** Opens what was found. */
  open: (id: Int64) => void
}

/** Finds while typing. Enter opens what is meant: the only one, or the one with that number. */
export function FindBox({ text, placeholder, page, replaces, numberOf, open }: FindBoxProps): VNode {
  const [typed, setTyped] = useState(text)
  const [isEntered, setIsEntered] = useState(false)
  const shown = useRef(text)
  // People write the number 7 as #7 too.
  const asked = typed.trim().replace(/^#(?=\d+$)/, '')
  const { result, error, isStale } = page
  const found = isStale ? undefined : result
  const searchText = useSearchText(text !== '' && found === undefined && error === undefined)
  const fault = asked === '' || canBeFound(asked) ? undefined : 'Type a letter or a digit.'

  // The address was changed elsewhere, as by Back.
  useEffect(() => {
    if (text === shown.current) return
    shown.current = text
    setTyped(text)
  }, [text])

  function show(): void {
    if (fault !== undefined || asked === shown.current) return
    shown.current = asked
    replaceWith({ ...replaces, find: asked, ...firstPage })
  }
  useEffect(() => {
    const timer = setTimeout(show, pauseMs)
    return () => clearTimeout(timer)
  }, [asked])

  useEffect(() => {
    if (!isEntered || found === undefined || text !== asked) return
    setIsEntered(false)
    const { items, cursor } = found
    const isOnly = items.length === 1 && cursor === undefined
    const number = numberOf === undefined ? asked : numberOf(asked)
    const meant = isOnly ? items[0] : items.find(({ id }) => String(id) === number)
    if (meant !== undefined) open(meant.id)
  }, [isEntered, found, text])

  return (
    <form
      class="filter find"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        if (asked === '' || fault !== undefined) return
        show()
        setIsEntered(true)
      }}
    >
      <label for="find">Find</label>
      <input
        id="find"
        type="search"
        autocomplete="off"
        maxlength={100}
        placeholder={placeholder}
        dir="auto"
        value={typed}
        aria-describedby="find-note"
        aria-invalid={fault === undefined ? undefined : 'true'}
        onInput={({ currentTarget }) => {
          setIsEntered(false)
          setTyped(currentTarget.value)
        }}
      />
      <p id="find-note" class={fault === undefined ? 'note' : 'note fault'} role="status">
        {fault ?? searchText}
      </p>
    </form>
  )
}

/** Links to the categories that were found. Nothing if there are none. */
export function FoundCategories({ categories }: { categories: readonly Category[] }): VNode | null {
  if (categories.length === 0) return null
  return (
    <p class="found-categories">
      Categories:{' '}
      {categories.map(({ id, name }) => (
        <a key={id} href={hrefWith({ category: String(id), find: undefined, ...firstPage })} dir="auto">
          {visibleText(name)}
        </a>
      ))}
    </p>
  )
}
