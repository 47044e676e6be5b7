/** How long a button says what it did. */
const saidMs = 3_000

/** Adds a button to every block of code. What a program prints is not copied. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code:not([data-language="text"])')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button small copy'
    button.ariaLive = 'polite'
    button.textContent = 'Copy'
    button.addEventListener('click', () => void copy(block, button))
    block.append(button)
  }
}

async function copy(block: HTMLElement, button: HTMLElement): Promise<void> {
  const code = block.querySelector('code')
  if (code === null) return
  try {
    // Missing on a page that came over plain HTTP from another machine.
    await navigator.clipboard.writeText(textToCopy(block, code.textContent))
    button.textContent = 'Copied'
  } catch {
    getSelection()?.selectAllChildren(code)
    button.textContent = 'Copy the marked text'
  }
  setTimeout(() => (button.textContent = 'Copy'), saidMs)
}

/** Of a terminal only the commands: lines after `$ `, and those after a `\` at the end of a line. */
function textToCopy(block: HTMLElement, text: string): string {
  if (block.dataset['language'] !== 'console') return text
  const commands = text.match(/^\$ (?:.*\\\n)*.*\n?/gm) ?? []
  return commands.map((command) => command.slice(2)).join('')
}
