import type { EarlierImport, ImportResult, PetStore } from '../../../client/src/index.ts'
import { chunksOf, encodeChunk, type ImportPlan } from './chunks.ts'
import { maxListed, type RejectedLine } from './rejected-rows.ts'

/** For one request. */
const timeoutMs = 60_000

/** What an import would do. */
export interface ImportCheck {
  ready: number
  rejected: number
  /** The first ones. */
  rejects: readonly RejectedLine[]
  /** The names of the categories that would be made. */
  newCategories: readonly string[]
  /** An import that has added these animals before, or a part of them. */
  earlier?: EarlierImport | undefined
  /** How many of those that are ready were added before. */
  repeated: number
}

interface CheckOptions {
  signal: AbortSignal
  /** Called with the number of rows that were checked. */
  onProgress: (done: number) => void
}

/** Asks the service what an import would do. */
export async function checkImport(
  pets: Pick<PetStore['pets'], 'import'>,
  plan: ImportPlan,
  options: CheckOptions,
): Promise<ImportCheck> {
  const rejects: RejectedLine[] = []
  const newCategories = new Map<string, string>()
  let done = 0
  let ready = 0
  let earlier: EarlierImport | undefined
  let repeated = 0
  const ask = (text: string) =>
    pets.import(text, {
      format: plan.file.format,
      createCategories: plan.createCategories,
      dryRun: true,
      timeoutMs,
      signal: options.signal,
    })
  for await (const rows of chunksOf(plan)) {
    options.signal.throwIfAborted()
    const { text, rowAt } = encodeChunk(rows, plan)
    const unread = rows.flatMap(({ line, fault }) => (fault === undefined ? [] : [{ line, message: fault }]))
    const result = rowAt.size === 0 ? noResult : await ask(text)
    const refused = result.rejects.map(({ line, message }) => ({ line: rowAt.get(line)?.line ?? line, message }))
    rejects.push(...[...refused, ...unread].toSorted((one, other) => one.line - other.line))
    rejects.splice(maxListed)
    for (const name of result.newCategories ?? []) {
      // The service takes names for the same that differ in case and accents, but sees one request at a time.
      const key = withoutAccents(name)
      if (!newCategories.has(key)) newCategories.set(key, name)
    }
    done += rows.length
    ready += result.added
    earlier ??= result.earlier
    if (result.earlier !== undefined) repeated += result.added
    options.onProgress(done)
  }
  return { ready, rejected: done - ready, rejects, newCategories: [...newCategories.values()], earlier, repeated }
}

const noResult: ImportResult = { added: 0, rejected: 0, rejects: [] }

function withoutAccents(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
