import assert from 'node:assert/strict'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/**
 * In light mode with every rule. In dark mode with the rule about colours, if only those differ; otherwise with every
 * rule too.
 */
export async function assertAccessible(page: Page, name: string, onlyColoursDiffer = true): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
    const { violations } = await (colorScheme === 'dark' && onlyColoursDiffer
      ? axe.withRules('color-contrast')
      : axe
    ).analyze()
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    )
    assert.deepEqual(found, [], `${name}, ${colorScheme}`)
  }
}
