import { type CheckResult, checkStorage } from '../storage/check/check.ts'
import { withoutPassword } from '../storage/shared/url.ts'
import { readConfig } from './shared/config.ts'
import { readEnvironment } from './shared/environment.ts'

/** Verifies the configured database. The exit code is 1 if something is wrong. */
export async function check({ json = false }: { json?: boolean }): Promise<void> {
  const { databaseUrl, environment } = readConfig(readEnvironment())
  const results: CheckResult[] = []
  for await (const result of checkStorage(databaseUrl, environment)) {
    results.push(result)
    if (!json) process.stdout.write(`${textOf(result)}\n`)
  }
  const ok = results.every(({ result }) => result !== 'wrong')
  const database = withoutPassword(databaseUrl)
  if (json) process.stdout.write(`${JSON.stringify({ database, ok, checks: results }, null, 2)}\n`)
  else process.stdout.write(`\n${database}: ${ok ? 'no errors found' : 'errors found, see above'}.\n`)
  if (!ok) process.exitCode = 1
}

function textOf({ name, result, sentences, more }: CheckResult): string {
  const lines = more ? [...sentences, '… and more.'] : sentences
  return lines
    .map(
      (sentence, index) => `${(index === 0 ? result : '').padEnd(9)}${(index === 0 ? name : '').padEnd(19)}${sentence}`,
    )
    .join('\n')
}
