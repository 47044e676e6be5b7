import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shopKey, type Tool } from './tool.ts'

/** Undefined if it is not installed. */
export function schemathesis(): Tool | undefined {
  const { status, stdout } = spawnSync('schemathesis', ['--version'], { encoding: 'utf8' })
  if (status !== 0) return undefined
  return {
    name: 'Schemathesis',
    version: /\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? '',
    settings:
      '`schemathesis run openapi.json --seed 1 --max-examples 20`; found: an operation fails that did not before',
    async findings({ origin }) {
      const folder = mkdtempSync(join(tmpdir(), 'petstore-schemathesis-'))
      const report = join(folder, 'report.xml')
      const args = ['run', `${origin}/openapi.json`, '--url', `${origin}/v1`, '--seed', '1', '--max-examples', '20']
      const header = ['--header', `Authorization: Bearer ${shopKey}`]
      try {
        await new Promise((resolve) => {
          execFile('schemathesis', [...args, ...header, '--report', 'junit', '--report-junit-path', report], resolve)
        })
        const cases = readFileSync(report, 'utf8').matchAll(/<testcase name="([^"]*)"[^>]*>\s*<(?:failure|error)/g)
        return Array.from(cases, ([, name = '']) => name)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}
