import { until } from './until.ts'

const groups = ['petstore_ready 1\n', 'petstore_pets{', 'petstore_api_keys{', 'petstore_database_size_bytes ']

/**
 * The metrics of a shop, and those that start with one of `others`. What cannot be read within a second is left out of
 * them: on a busy machine they are read again.
 */
export async function completeMetrics(
  readMetrics: () => Promise<string>,
  others: readonly string[] = [],
): Promise<string> {
  let text = ''
  await until(async () => {
    text = await readMetrics()
    return [...groups, ...others].every((start) => text.includes(start))
  })
  return text
}
