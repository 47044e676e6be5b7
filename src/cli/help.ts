import { settings } from './shared/config.ts'
import { defaultOf, type Setting } from './shared/setting.ts'

/** Every setting, for the end of `petstore serve --help`. */
export function settingsHelp(): string {
  const all = Object.values<Setting<unknown>>(settings)
  const width = Math.max(...all.map(({ variable }) => variable.length)) + 2
  const lines = all.flatMap((setting) => [
    `  ${setting.variable.padEnd(width)}${setting.meaning}`,
    `  ${''.padEnd(width)}Must be ${setting.allowed}. Default: ${defaultOf(setting)}`,
  ])
  return `\nSettings, from the environment or a .env file in the working folder:\n\n${lines.join('\n')}\n`
}

/** Command lines to copy, for the end of a verb's help. */
export function examples(...lines: readonly string[]): string {
  return `\n${['Examples:', ...lines.map((line) => `  ${line}`)].join('\n')}\n`
}
