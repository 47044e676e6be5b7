// Runs in the browser, on the reference page, and loads Scalar's own script.

/* global Scalar */

// Scalar does not start where the browser blocks storage: it gets one that ends with the page.
function standInForBlocked(name) {
  try {
    if (window[name] !== null) return
  } catch {
    // Blocked.
  }
  const items = new Map()
  const value = {
    get length() {
      return items.size
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(String(key)) ?? null,
    setItem: (key, text) => void items.set(String(key), String(text)),
    removeItem: (key) => void items.delete(String(key)),
    clear: () => items.clear(),
  }
  Object.defineProperty(window, name, { value })
}

function loadScalar() {
  const script = document.createElement('script')
  script.src = 'docs/reference.js'
  return new Promise((resolve, reject) => {
    script.addEventListener('load', resolve)
    script.addEventListener('error', () => reject(new Error('docs/reference.js was not loaded.')))
    document.head.append(script)
  })
}

// If this tab is signed in to the console, or was opened by the printed link, the examples have a working key. The code
// of a link is removed from the address first.
async function keyOfThisTab() {
  const code = /^#sign-in=(.+)$/.exec(location.hash)?.[1]
  if (code === undefined) return sessionStorage.getItem('petstore-key')
  history.replaceState(null, '', location.pathname)
  const response = await fetch('console/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: decodeURIComponent(code) }),
  })
  if (!response.ok) return null
  const { key } = await response.json()
  sessionStorage.setItem('petstore-key', key)
  return key
}

// A link opened in a tab that already shows the page changes only the fragment.
addEventListener('hashchange', async () => {
  if (!location.hash.startsWith('#sign-in=')) return
  await keyOfThisTab().catch(() => null)
  location.reload()
})

// The document of this service, with a badge on each operation that may still change.
async function documentWithBadges() {
  const response = await fetch('openapi.json')
  const content = await response.json()
  const { server } = document.querySelector('#app').dataset
  if (server !== undefined) content.servers[0].url = new URL(server, document.baseURI).href
  for (const operation of Object.values(content.paths).flatMap((path) => Object.values(path))) {
    const stability = operation['x-stability']
    if (stability !== undefined) operation['x-badges'] = [{ name: stability }]
    leaveOutOptional(operation.parameters)
  }
  return content
}

// Scalar sends every example, and the first value of an enumeration. An optional parameter waits until it is selected.
function leaveOutOptional(parameters) {
  for (const parameter of parameters) {
    if (parameter.required) continue
    parameter.examples = { default: { value: '', ...parameter.examples?.default, 'x-disabled': true } }
  }
}

// Scalar's buttons to copy an address or an example have a picture alone.
function labelCopyButtons() {
  for (const button of document.querySelectorAll('[class*="copy-button"]:not([aria-label])')) button.ariaLabel = 'Copy'
}
new MutationObserver(labelCopyButtons).observe(document.documentElement, { childList: true, subtree: true })

standInForBlocked('localStorage')
standInForBlocked('sessionStorage')
const [key, content] = await Promise.all([keyOfThisTab().catch(() => null), documentWithBadges(), loadScalar()])
Scalar.createApiReference('#app', {
  content,
  authentication: {
    preferredSecurityScheme: 'apiKey',
    ...(key !== null && { securitySchemes: { apiKey: { token: key } } }),
  },
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
})
