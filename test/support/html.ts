import assert from 'node:assert/strict'
import { HtmlValidate } from 'html-validate'

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // A matter of taste: both are valid.
    'doctype-style': ['error', { style: 'lowercase' }],
    'no-implicit-button-type': 'off',
    'no-implicit-input-type': 'off',
    // A browser must not keep a key, and has no name for it: `off` is meant.
    'autocomplete-password': 'off',
  },
})

export async function assertValid(html: string): Promise<void> {
  const { results } = await validator.validateString(html)
  assert.deepEqual(
    results.flatMap(({ messages }) => messages.map(({ line, ruleId, message }) => `${line}: ${ruleId}: ${message}`)),
    [],
  )
}
