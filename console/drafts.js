const prefix = 'petstore-draft-'

/**
 * What was typed and not sent yet, so that neither a lost connection nor signing in again nor loading the page anew loses
 * it. It lives as long as the tab.
 */
export function readDraft(name) {
  const text = sessionStorage.getItem(prefix + name)
  return text === null ? undefined : JSON.parse(text)
}

export function keepDraft(name, draft) {
  sessionStorage.setItem(prefix + name, JSON.stringify(draft))
}

export function dropDraft(name) {
  sessionStorage.removeItem(prefix + name)
}

/** For somebody else at the same screen. */
export function dropDrafts() {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(prefix)) sessionStorage.removeItem(name)
  }
}
