import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TestSandbox } from '../../support/sandbox.ts'
import { toolFile } from '../../support/tools.ts'

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
  return versionIn(fileURLToPath(new URL(`../../../node_modules/${packageName}/package.json`, import.meta.url)))
}

/** The version of a package of test/tools. */
export function toolVersion(packageName: string): string {
  return versionIn(toolFile(`${packageName}/package.json`))
}

function versionIn(file: string): string {
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
