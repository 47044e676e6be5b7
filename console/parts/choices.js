import { html } from '../preact.js'

/** One of a few, side by side: links, so that each has an address. */
export function ChoiceLinks({ label, choices, chosen, hrefOf }) {
  return html`<nav class="choices" aria-label=${label}>
    ${choices.map(
      ({ value, words }) =>
        html`<a key=${words} href=${hrefOf(value)} aria-current=${value === chosen ? 'true' : undefined}>${words}</a>`,
    )}
  </nav>`
}

/** One of a few in a form. */
export function ChoiceButtons({ name, label, choices, chosen, isDisabled = false, hint, onChoose }) {
  return html`<fieldset class="field choice-field" disabled=${isDisabled} aria-describedby="${name}-note">
    <legend>${label}</legend>
    <div class="choices">
      ${choices.map(
        ({ value, words }) =>
          html`<label key=${words}>
            <input
              type="radio"
              name=${name}
              checked=${value === chosen}
              onChange=${() => onChoose(value)}
            /><span>${words}</span>
          </label>`,
      )}
    </div>
    <p class="note" id="${name}-note">${hint}</p>
  </fieldset>`
}
