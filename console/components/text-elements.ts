import { type ComponentChildren, Fragment, h, options, type VNode } from 'preact'

type Props = { children?: ComponentChildren; textContent?: string }

/**
 * Lets an element carry every text of the page. Translators of browsers take text nodes away, and Preact would change
 * those later: the page would show what was. An element stays: a new text takes the place of whatever is in it. Texts
 * beside elements get one of their own, `text-run`, which no rule of the style sheet is about.
 */
export function carryTextInElements(): void {
  const before = options.vnode
  options.vnode = (vnode) => {
    const { type } = vnode
    const props = vnode.props as Props
    if (typeof type === 'string' && isText(props.children)) {
      const { children, ...others } = props
      vnode.props = { ...others, textContent: textOf(children) } as Props as typeof vnode.props
    } else if (typeof type === 'string' || type === Fragment) {
      // Not in place: a component may still have these children.
      if (hasText(props.children)) vnode.props = { ...props, children: wrapTexts(props.children) }
    }
    before?.(vnode)
  }
}

/**
 * Takes the texts out of elements that Preact is about to take over. It removes the nodes that were there, and an element
 * that gets the text it has keeps its node.
 */
export function removeTexts(root: HTMLElement): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode() !== null) texts.push(walker.currentNode as Text)
  for (const text of texts) text.remove()
}

/** Whether nothing but text is there. */
function isText(children: ComponentChildren): boolean {
  if (!Array.isArray(children)) return isBare(children)
  return children.some(isText) && children.every((child) => isNothing(child) || isText(child))
}

function hasText(children: ComponentChildren): boolean {
  return Array.isArray(children) ? children.some(hasText) : isBare(children)
}

function textOf(children: ComponentChildren): string {
  if (Array.isArray(children)) return children.map(textOf).join('')
  return isBare(children) ? String(children) : ''
}

/** Neighbouring texts become one element. Each child keeps its position, by which Preact knows it again. */
function wrapTexts(children: ComponentChildren): ComponentChildren {
  if (!Array.isArray(children)) return isBare(children) ? textRun(String(children)) : children
  const wrapped: ComponentChildren[] = []
  for (let from = 0; from < children.length; ) {
    let to = from
    while (to < children.length && isBare(children[to])) to++
    if (to === from) wrapped.push(wrapTexts(children[from]))
    else wrapped.push(textRun(children.slice(from, to).join('')), ...children.slice(from + 1, to).map(() => null))
    from = Math.max(to, from + 1)
  }
  return wrapped
}

/** Space between elements is not translated. */
function textRun(text: string): VNode | string {
  return text.trim() === '' ? text : h('text-run', null, text)
}

function isBare(child: ComponentChildren): child is string | number | bigint {
  return typeof child === 'string' || typeof child === 'number' || typeof child === 'bigint'
}

function isNothing(child: ComponentChildren): boolean {
  return child === null || child === undefined || typeof child === 'boolean'
}
