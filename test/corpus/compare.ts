import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { record, type Recording } from './record.ts'
import { describe, describeDifferences } from './text.ts'
import { type Variation, variations } from './variations.ts'

/** Set by `npm run make -- corpus`. */
const isRecording = process.env['PETSTORE_RECORD_CORPUS'] === 'true'
const maxShown = 20

let plain: Recording | undefined

/** Sends all requests in one way and compares the responses with the recorded ones. */
export async function assertAsRecorded(t: TestContext, variation: Variation): Promise<void> {
  // Recordings have what differs from the first variation.
  plain ??= await record(t, variations[0] as Variation)
  const recording = variation === variations[0] ? plain : await record(t, variation)
  const text = recording === plain ? describe(recording) : describeDifferences(recording, plain)

  const path = new URL(`recorded/${variation.name}.txt`, import.meta.url)
  if (isRecording) writeFileSync(path, text)
  assert.equal(changesOf(existsSync(path) ? readFileSync(path, 'utf8') : '', text), '')
}

/** The parts of a recording that are gone and those that are new. */
function changesOf(recorded: string, text: string): string {
  const [before, after] = [recorded, text].map((all) => new Set(all.split(/\n(?=\n## )/)))
  const gone = [...(before?.difference(after ?? new Set()) ?? [])].map((part) => `recorded: ${part.trim()}`)
  const fresh = [...(after?.difference(before ?? new Set()) ?? [])].map((part) => `now: ${part.trim()}`)
  const all = [...gone, ...fresh].toSorted((a, b) => (headingOf(a) < headingOf(b) ? -1 : 1))
  return all.slice(0, maxShown).join('\n\n')
}

function headingOf(part: string): string {
  return part.slice(part.indexOf(': '))
}
