import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Tool, versionOf } from './tool.ts'

const file = fileURLToPath(new URL('../../http/properties.test.ts', import.meta.url))

export function properties(): Tool {
  return {
    name: 'properties',
    version: `fast-check ${versionOf('fast-check')}`,
    settings:
      '`PETSTORE_TEST_TARGET=URL node --test test/http/properties.test.ts`, 100 cases each; found: a property fails',
    findings: ({ origin }) =>
      new Promise((resolve) => {
        const env = { ...process.env, PETSTORE_TEST_TARGET: `${origin}/default` }
        const args = ['--test', '--test-reporter=tap', '--test-isolation=none', file]
        execFile(process.execPath, args, { env, maxBuffer: 1 << 26 }, (_error, stdout) => {
          resolve(Array.from(stdout.matchAll(/^not ok \d+ - (.*)$/gm), ([, name = '']) => name))
        })
      }),
  }
}
