import { oneByOne } from './batch.ts'

/** The writes of imports, inside a transaction of the writer. Animals go through staging.ts. */
export const importWrites = {
  forgetImport: oneByOne<string, void>(
    { name: 'forget_import', text: 'DELETE FROM imports WHERE source = $1' },
    (source) => [source],
    () => undefined,
  ),
}
