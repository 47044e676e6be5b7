import { oneByOne } from './batch.ts'

/** What the writer does for imports, inside a transaction of its own. The animals themselves go through staging.ts. */
export const importWrites = {
  forgetImport: oneByOne<string, void>(
    { name: 'forget_import', text: 'DELETE FROM imports WHERE source = $1' },
    (source) => [source],
    () => undefined,
  ),
}
