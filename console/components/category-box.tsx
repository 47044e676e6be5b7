import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { errorText } from '../api/error-text.ts'
import { useAction } from '../state/action.ts'
import { categoryLabel, categoryText, createCategory, useCategories } from '../state/categories.ts'
import { useFoundCategories } from '../state/category-search.ts'
import { useMay, useSignedIn } from '../state/session.ts'
import { Combobox, type ComboboxOption } from './combobox.tsx'
import type { Tied } from './field.tsx'
import { plural, shortName } from './format.ts'
import { useSearchText } from './loading.tsx'

interface CategoryBoxProps {
  tied: Tied
  text: string
  /** With the id if a category was chosen. What `matchCategory` makes of the text is that category. */
  onText: (text: string, id?: string) => void
  onLeave?: () => void
  placeholder?: string
  /** Whether a category can be created here, if the key may. */
  canCreate?: boolean
  /** Called with the id of a category that was created. Without it, the category is chosen. */
  onCreated?: (id: string, name: string) => void
}

const creation = 'create'
const further = 'further'

/** Chooses a category by a part of its name or by its number, or creates it. */
export function CategoryBox(props: CategoryBoxProps): VNode {
  const { tied, text, onText, onLeave, placeholder, canCreate = false, onCreated } = props
  const may = useMay()
  const { rules } = useSignedIn()
  const known = useCategories()
  const [isOpen, setOpen] = useState(false)
  const [isTyped, setTyped] = useState(false)
  const latest = useRef(text)
  latest.current = text
  // A chosen category does not narrow the list.
  const { ids, countOf, isMissing, isSearching, searchFurther } = useFoundCategories(isTyped ? text.trim() : '', isOpen)
  const searchText = useSearchText(isSearching)
  const wanted = text.trim()
  const isOffered = canCreate && isMissing && may('createCategory') && rules.categoryName(wanted) === undefined

  const creating = useAction(async (name: string) => {
    const typed = latest.current
    const id = await createCategory(name)
    if (onCreated !== undefined) {
      setTyped(false)
      onCreated(id, name)
    }
    // The field may have other text by now.
    else if (latest.current === typed) choose(id)
  })
  function choose(id: string): void {
    setTyped(false)
    onText(categoryText(id), id)
  }
  // A closed list is rendered with every event: it costs nothing then.
  const options: ComboboxOption[] = (isOpen ? ids : []).map((id) => {
    const name = known.names.get(id) ?? undefined
    const count = countOf(id)
    return {
      key: id,
      text: name === undefined ? categoryLabel(known.names, id) : shortName(categoryText(id, known)),
      note: count === undefined ? undefined : plural(count, 'animal', 'animals'),
    }
  })
  if (isOffered)
    options.push({
      key: creation,
      text: (
        <>
          Create category «<bdi>{shortName(wanted)}</bdi>»
        </>
      ),
    })
  if (searchFurther !== undefined) {
    options.push({ key: further, text: ids.length === 0 ? 'Nothing found so far: search further' : 'Search further' })
  }
  function onChoose(key: string): void {
    if (key === creation) return void creating.run(wanted)
    if (key !== further) return choose(key)
    searchFurther?.()
    setOpen(true)
  }

  return (
    <>
      <Combobox
        tied={tied}
        label="Categories"
        text={text}
        placeholder={placeholder}
        options={options}
        enterKey={isOffered && options.length === 1 ? creation : undefined}
        progress={searchText}
        isOpen={isOpen}
        setOpen={setOpen}
        onType={(next) => {
          creating.clearError()
          setTyped(true)
          onText(next)
        }}
        onChoose={onChoose}
        onLeave={onLeave}
      />
      {creating.error !== undefined && (
        <p class="note fault" role="alert">
          {errorText(creating.error)}
        </p>
      )}
    </>
  )
}
