import { readFileSync } from 'node:fs'
import type { TestSandbox } from '../../support/sandbox.ts'

/** A program that looks for bugs in the shop `default` of a sandbox. */
export interface Tool {
  name: string
  version: string
  /** How it was run. */
  settings: string
  /** Whatever it complains about, in words that are the same in every run. */
  findings(sandbox: TestSandbox): Promise<string[]>
  end?(): void
}

export const shopKey = 'sandbox_default'

export function versionOf(packageName: string): string {
  const file = new URL(`../../../node_modules/${packageName}/package.json`, import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
