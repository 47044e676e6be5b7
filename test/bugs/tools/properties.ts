import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Tool, versionOf } from './tool.ts'

const names = ['properties', 'slow/shop-model']
const files = names.map((name) => fileURLToPath(new URL(`../../http/${name}.test.ts`, import.meta.url)))
const maxMs = 600_000

export function properties(): Tool {
  return {
    name: 'properties',
    version: `fast-check ${versionOf('fast-check')}`,
    settings:
      '`PETSTORE_TEST_TARGET=URL node --test` with test/http/properties.test.ts and test/http/slow/shop-model.test.ts, 30 to 100 cases each; found: a property fails',
    findings: ({ origin }) =>
      new Promise((resolve) => {
        const env = { ...process.env, PETSTORE_TEST_TARGET: `${origin}/default` }
        const args = ['--test', '--test-reporter=tap', '--test-isolation=none', ...files]
        execFile(process.execPath, args, { env, maxBuffer: 1 << 26, timeout: maxMs }, (error, stdout) => {
          const failed = Array.from(stdout.matchAll(/^not ok \d+ - (.*)$/gm), ([, name = '']) => name)
          resolve(error?.killed === true ? [...failed, 'it did not end'] : failed)
        })
      }),
  }
}
