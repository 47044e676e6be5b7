// The script of a guide. Without it a guide can be read as well: all languages below each other, and nothing to press.
import { addressThisService } from './guides/address.ts'
import { addCopyButtons } from './guides/copy.ts'
import { findInPage } from './guides/find.ts'
import { showLanguages } from './guides/languages.ts'

for (const start of [addressThisService, addCopyButtons, showLanguages, findInPage]) {
  try {
    start()
  } catch (error) {
    // The other parts work without this one.
    reportError(error)
  }
}
