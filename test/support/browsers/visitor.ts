import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Driver } from './driver.ts'

/** Long enough for a busy machine: a page that is right waits for none of it. */
const timeoutMs = 60_000

/** The keys of WebDriver that are no characters. */
const keys: Record<string, string> = { Control: '\ue009', Enter: '\ue007', Escape: '\ue00c' }

/** Functions for the page. Names are compared without the counts and marks that follow or precede them. */
const helpers = `
  window.complaints = []
  addEventListener('error', ({ message }) => complaints.push(message))
  addEventListener('unhandledrejection', ({ reason }) => complaints.push(reason.stack ?? String(reason)))
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    complaints.push('blocked by the policy: ' + violatedDirective + ' ' + blockedURI))
  // A busy machine must not end the time for an Undo.
  const { setTimeout } = window
  window.setTimeout = (act, ms, ...rest) => ms === 8000 ? 0 : setTimeout(act, ms, ...rest)
  window.shown = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility())
  window.nameOf = (element) =>
    (element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent).replace(/\\s+/g, ' ').trim()
  window.frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  // The middle of the element with this name, undefined while it moves or is covered.
  window.middleOf = async (scope, name) => {
    const selector = ['button', 'a', 'input', 'textarea', 'label', '[role=option]'].map((kind) => scope + ' ' + kind)
    const element = shown(selector.join()).find((element) => nameOf(element) === name)
    if (element === undefined) return
    element.scrollIntoView({ block: 'nearest' })
    const before = element.getBoundingClientRect()
    await frame()
    await frame()
    const { left, top, width, height } = element.getBoundingClientRect()
    if (left !== before.left || top !== before.top || width * height === 0) return
    const x = Math.round(left + width / 2)
    const y = Math.round(top + height / 2)
    const hit = document.elementFromPoint(x, y)
    return element.contains(hit) || [...(element.labels ?? [])].some((label) => label.contains(hit)) ? { x, y } : undefined
  }
`

/** Somebody who uses the console with a mouse and a keyboard, in any browser. */
export interface Visitor {
  open(url: string): Promise<void>
  /** Waits until one of these elements shows this text. */
  sees(text: string, selector?: string): Promise<void>
  /** Waits until no such element is shown. */
  seesNo(selector: string): Promise<void>
  clicks(name: string, scope?: string): Promise<void>
  /** A key, or several at once such as `Control+k`. */
  presses(combination: string): Promise<void>
  types(text: string): Promise<void>
  chooses(inputId: string, path: string): Promise<void>
  /** The errors of the page since it was opened. */
  complaints(): Promise<unknown>
}

export function visitorOf(driver: Driver): Visitor {
  const sendKeys = (actions: object[]) => driver.perform([{ type: 'key', id: 'keyboard', actions }])
  const quote = (text: string) => JSON.stringify(text)

  async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
    for (const end = Date.now() + timeoutMs; ; await sleep(50)) {
      if (await holds()) return
      if (Date.now() > end)
        assert.fail(`${what}; it shows: ${String(await driver.evaluate('document.body.innerText'))}`)
    }
  }

  return {
    async open(url) {
      await driver.goto(url)
      await driver.evaluate(`(() => { ${helpers} })()`)
    },
    sees: (text, selector = 'body') =>
      until(`the page does not show "${text}"`, async () => {
        const texts = (await driver.evaluate(
          `shown(${quote(selector)}).map((element) => element.innerText.replace(/\\s+/g, ' '))`,
        )) as string[]
        return texts.some((shown) => shown.includes(text))
      }),
    seesNo: (selector) =>
      until(`the page still shows ${selector}`, async () => {
        return (await driver.evaluate(`shown(${quote(selector)}).length`)) === 0
      }),
    async clicks(name, scope = 'body') {
      let place: { x: number; y: number } | null = null
      await until(`nobody can click "${name}"`, async () => {
        place = (await driver.evaluate(`middleOf(${quote(scope)}, ${quote(name)})`)) as typeof place
        return place !== null
      })
      const actions = [
        { type: 'pointerMove', duration: 0, origin: 'viewport', ...(place ?? { x: 0, y: 0 }) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      await driver.perform([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }])
    },
    presses(combination) {
      const values = combination.split('+').map((key) => keys[key] ?? key)
      const downs = values.map((value) => ({ type: 'keyDown', value }))
      const ups = values.toReversed().map((value) => ({ type: 'keyUp', value }))
      return sendKeys([...downs, ...ups])
    },
    types: (text) =>
      sendKeys(Array.from(text).flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })))),
    chooses: (inputId, path) => driver.chooseFile(inputId, path),
    complaints: () => driver.evaluate('complaints'),
  }
}
