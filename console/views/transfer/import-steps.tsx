import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ImportFile } from '../../state/import/file.ts'

export type ImportStep = 'file' | 'columns' | 'check'

const titles: Record<ImportStep, string> = { file: 'File', columns: 'Columns', check: 'Check' }

/** NDJSON names the members of each row. */
export function stepsOf(file: ImportFile | undefined): readonly ImportStep[] {
  return file?.format === 'ndjson' ? ['file', 'check'] : ['file', 'columns', 'check']
}

/** Says which step it is. Has the focus when the step changes. */
export function StepHead({ step, file }: { step: ImportStep; file: ImportFile | undefined }): VNode {
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) heading.current?.focus()
    isFirst.current = false
  }, [step])
  const steps = stepsOf(file)
  return (
    <h3 ref={heading} tabindex={-1} class="import-step">
      {titles[step]}{' '}
      <span class="quiet">
        Step {steps.indexOf(step) + 1} of {steps.length}
      </span>
    </h3>
  )
}
