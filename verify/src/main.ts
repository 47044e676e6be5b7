#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { exitCodes, type Option, options } from './options.ts'
import { type ProgramOptions, verify } from './program.ts'

// The program of the package: `npx @petstore/verify --url … --key …`.

const name = 'petstore-verify'

function flagsOf({ name: option, value }: Option): string {
  return `--${option}${value === undefined ? '' : ` <${value}>`}`
}

function helpText(): string {
  const width = Math.max(...options.map((option) => flagsOf(option).length))
  const lines = options.map((option) => {
    const usual = option.default === undefined ? '' : ` (default: ${option.default})`
    return `  ${flagsOf(option).padEnd(width)}  ${option.description}${usual}`
  })
  return `Usage: ${name} --url <address> --key <key> [options]

Judges any implementation of the Pet Store contract over HTTP; removes what it added.

${lines.join('\n')}
${exitCodes}
`
}

/** The options by the names that the program knows them by: read-only is readOnly. */
function read(args: readonly string[]): ProgramOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h' },
      ...Object.fromEntries(
        options.map((option) => [option.name, { type: option.value === undefined ? 'boolean' : 'string' } as const]),
      ),
    },
  })
  if (values.help === true) return 'help'
  const missing = options.find((option) => option.isRequired === true && !(option.name in values))
  if (missing !== undefined) throw new TypeError(`${flagsOf(missing)} is required.`)
  const usual = options.flatMap((option) => (option.default === undefined ? [] : [[option.name, option.default]]))
  const entries = Object.entries({ ...Object.fromEntries(usual), ...values })
  const named = entries.map(([key, value]) => [key.replace(/-(.)/, (_, letter: string) => letter.toUpperCase()), value])
  return Object.fromEntries(named) as ProgramOptions
}

try {
  const chosen = read(process.argv.slice(2))
  if (chosen === 'help') process.stdout.write(helpText())
  else await verify(chosen, name)
} catch (error) {
  if (!(error instanceof TypeError)) throw error
  process.stderr.write(`${name}: ${error.message}\nTry --help.\n`)
  process.exitCode = 2
}
