import { html, useLayoutEffect, useRef, useState } from '../preact.js'
import { Icon } from './icons.js'
import { Trouble } from './trouble.js'

/** A modal dialog while it is drawn. The browser keeps the focus inside, and gives it back at the end. */
export function Dialog({ label, className, onClose, children }) {
  const dialog = useRef()
  useLayoutEffect(() => {
    const { current } = dialog
    current.showModal()
    return () => current.close()
  }, [])

  function cancelled(event) {
    event.preventDefault()
    onClose()
  }
  // The backdrop belongs to the dialog itself; everything on it lies in elements of its own.
  function clicked(event) {
    if (event.target === dialog.current) onClose()
  }
  return html`<dialog ref=${dialog} class=${className} aria-label=${label} onCancel=${cancelled} onMouseDown=${clicked}>
    <div class="dialog-body">${children}</div>
  </dialog>`
}

export function CloseButton({ onClose }) {
  return html`<button type="button" class="icon-button" onClick=${onClose} aria-label="Close">
    <${Icon} name="close" />
  </button>`
}

/** Asks before something that cannot be undone. `act` may fail: then the reason is shown, and it can be tried again. */
export function Confirm({ title, children, action, isDangerous = false, act, onClose }) {
  const [state, setState] = useState({})
  async function confirmed() {
    setState({ isBusy: true })
    try {
      await act()
    } catch (problem) {
      setState({ problem })
    }
  }
  return html`<${Dialog} label=${title} className="confirm" onClose=${onClose}>
    <h2>${title}</h2>
    <p>${children}</p>
    ${state.problem && html`<${Trouble} problem=${state.problem} />`}
    <div class="actions">
      <button type="button" class="button" onClick=${onClose}>Keep as it is</button>
      <button
        type="button"
        class=${isDangerous ? 'button danger' : 'button primary'}
        onClick=${confirmed}
        aria-disabled=${state.isBusy ? 'true' : undefined}
      >
        ${action}
      </button>
    </div>
  <//>`
}
