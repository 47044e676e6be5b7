import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'

interface FileButtonProps {
  id: string
  label: string
  onFile: (file: File) => unknown
}

/** A button that asks for a file of JSON lines. */
export function FileButton({ id, label, onFile }: FileButtonProps): VNode {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        id={id}
        type="file"
        hidden
        aria-label={label}
        accept=".ndjson,.jsonl,.json,.txt"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // The same file can be chosen again.
          currentTarget.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
    </>
  )
}
