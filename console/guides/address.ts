import { tabStorage } from '../state/tab-storage.ts'

/** The addresses that commands of the guides have: the variable that readers are told to set, and what they set it to. */
const variable = /\$URL\b/g
const example = /http:\/\/127\.0\.0\.1:808[01]\b/g

/** In a tab that is signed in, the commands get the address of this service. The key stays out of the page. */
export function addressThisService(): void {
  const key = tabStorage.get('petstore-key')
  const { root = './', for: use } = document.body.dataset
  if (key === undefined || (use === 'sandbox' && !key.startsWith('sandbox_'))) return
  const service = new URL(root, location.href).href.replace(/\/$/, '')
  let isChanged = false
  for (const code of document.querySelectorAll('.code:is([data-language="sh"], [data-language="console"]) code')) {
    const text = code.textContent
    const own = text.replace(example, service).replace(variable, `${service}/v1`)
    if (own === text) continue
    code.textContent = own
    isChanged = true
  }
  const note = document.querySelector<HTMLElement>('.own-address')
  if (note !== null) note.hidden = !isChanged
}
