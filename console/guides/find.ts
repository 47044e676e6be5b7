import { reveal } from './languages.ts'

const maxMatches = 1_000
const blocks = 'p, li, td, th, h1, h2, h3, pre'

/** The field that finds a text in the page: all places are marked, and Enter goes to the next one. */
export function findInPage(): void {
  const box = document.querySelector<HTMLElement>('.find')
  const field = box?.querySelector('input')
  const count = box?.querySelector('output')
  const content = document.querySelector<HTMLElement>('main')
  if (!box || !field || !count || content === null || !('highlights' in CSS)) return
  let matches: Range[] = []
  let at = 0

  function search(): void {
    matches = rangesOf(content as HTMLElement, field?.value.trim() ?? '')
    at = 0
    show()
  }

  function show(): void {
    const match = matches[at]
    CSS.highlights.set('found', new Highlight(...matches))
    CSS.highlights.set('found-now', new Highlight(...(match === undefined ? [] : [match])))
    if (count) count.value = field?.value.trim() === '' ? '' : inWords(matches.length, at)
    const element = match?.startContainer.parentElement ?? null
    reveal(element)
    element?.scrollIntoView({ block: 'center' })
  }

  field.addEventListener('input', search)
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || matches.length === 0) return
    at = (at + (event.shiftKey ? matches.length - 1 : 1)) % matches.length
    show()
  })
  box.hidden = false
}

function inWords(matches: number, at: number): string {
  if (matches === 0) return 'Not found'
  return `${at + 1} of ${matches === maxMatches ? `${maxMatches} or more` : matches}`
}

/** Where the text is, without regard to case and to where lines break. It may cross elements, but not blocks. */
function rangesOf(content: HTMLElement, wanted: string): Range[] {
  if (wanted === '') return []
  const nodes: { node: Text; start: number }[] = []
  let text = ''
  let block: Element | null = null
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null) {
    const own = node.parentElement?.closest(blocks) ?? null
    if (own === null) continue
    if (own !== block) text += '\0'
    block = own
    nodes.push({ node, start: text.length })
    text += folded(node.data)
  }
  const ranges: Range[] = []
  const needle = folded(wanted)
  for (let found = text.indexOf(needle); found >= 0; found = text.indexOf(needle, found + needle.length)) {
    ranges.push(rangeOf(nodes, found, found + needle.length))
    if (ranges.length === maxMatches) break
  }
  return ranges
}

function rangeOf(nodes: readonly { node: Text; start: number }[], start: number, end: number): Range {
  const range = document.createRange()
  const first = nodes.findLast((one) => one.start <= start)
  const last = nodes.findLast((one) => one.start < end)
  if (first !== undefined) range.setStart(first.node, start - first.start)
  if (last !== undefined) range.setEnd(last.node, end - last.start)
  return range
}

/** As long as the text itself. */
function folded(text: string): string {
  const lower = text.toLowerCase()
  return (lower.length === text.length ? lower : text).replaceAll(/\s/g, ' ')
}
