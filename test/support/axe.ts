import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

let source: string | undefined

/**
 * In light mode with every rule. In dark mode with the rule about colours, if only those differ; otherwise with every
 * rule too. If a dialog is open, the topmost one is checked: what is behind it cannot be reached, and is checked where
 * it is in front. A run takes half a second of CPU time: check layouts that differ in markup or colours, not each view.
 */
export async function assertAccessible(page: Page, name: string, onlyColoursDiffer = true): Promise<void> {
  source ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(source)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const rules = colorScheme === 'dark' && onlyColoursDiffer ? { runOnly: ['color-contrast'] } : {}
    const options = JSON.stringify({ resultTypes: ['violations'], ...rules })
    const violations = (await page.evaluate(
      `axe.run([...document.querySelectorAll('dialog[open]')].at(-1) ?? document, ${options})
        .then(({ violations }) => violations)`,
    )) as Violation[]
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    )
    assert.deepEqual(found, [], `${name}, ${colorScheme}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
