import assert from 'node:assert/strict'
import { globSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { run } from '../support/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const documents = [
  '*.md',
  'docs/**/*.md',
  'deploy/**/*.md',
  'bench/README.md',
  'client/README.md',
  'server/README.md',
  'verify/README.md',
].flatMap((pattern) => globSync(pattern, { cwd: root }))
/** Files that do something when they are run by themselves. */
const programs =
  /^(src\/cli\/start\.js|bin\/petstore\.js|bench\/[\w/-]+\.ts|test\/[\w/.-]+\.ts|client\/codegen\/[\w-]+\.ts)$/

const quoted = documents.flatMap((document) => commandsIn(readFileSync(join(root, document), 'utf8'), document))

test('the documents quote commands', () => {
  assert.ok(quoted.length > 50)
})

test('every npm script that a document quotes exists', () => {
  const scripts = new Set<string>()
  for (const folder of ['.', 'bench', 'client']) {
    const { scripts: found = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    for (const name of Object.keys(found)) scripts.add(name)
  }

  const missing = quoted.filter(({ words }) => words[0] === 'npm' && words[1] === 'run' && !scripts.has(words[2] ?? ''))

  assert.deepEqual(missing.map(describe), [])
})

test('every file that a document runs with node is a program', () => {
  const wrong = quoted.filter(({ words }) => {
    const file = words.slice(1).find((word) => !word.startsWith('-'))
    const isOurs = /(^|\/)node$/.test(words[0] ?? '') && file !== undefined && file.includes('/')
    return isOurs && !(programs.test(file) && existsSync(join(root, file)))
  })

  assert.deepEqual(wrong.map(describe), [])
})

test('every verb and option of petstore that a document quotes exists', async (t) => {
  const help = new Map<string, string>()
  async function helpOf(verb: readonly string[]): Promise<string> {
    const name = verb.join(' ')
    if (!help.has(name)) help.set(name, (await run(t, [...verb, '--help'])).stdout)
    return help.get(name) as string
  }
  const wrong: string[] = []
  for (const command of quoted) {
    const words = afterPetstore(command.words)
    if (words === undefined || words.length === 0) continue
    const depth = words[0] === 'keys' || words[0] === 'webhooks' ? 2 : 1
    const verb = words.slice(0, depth).filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-'))
    if (verb.length === 0 || verb[0] === 'help') continue
    const text = await helpOf(verb)
    const options = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.replace(/=.*/, ''))
    const missing = options.filter((option) => option !== '--help' && !new RegExp(`${option}\\b`).test(text))
    if (!text.startsWith(`Usage: petstore ${verb.join(' ')}`) || missing.length > 0) wrong.push(describe(command))
  }

  assert.deepEqual(wrong, [])
})

interface Command {
  document: string
  words: string[]
}

/** The commands in the blocks of a document and in its text. */
function commandsIn(text: string, document: string): Command[] {
  const blocks = [...text.matchAll(/^ *```(?:sh|console)\n(.*?)^ *```/gms)].flatMap(([, block = '']) => {
    const lines = block.replaceAll('\\\n', ' ').split('\n')
    const isConsole = lines.some((line) => line.trim().startsWith('$ '))
    return lines.flatMap((line) => {
      if (!isConsole) return [line]
      return line.trim().startsWith('$ ') ? [line.trim().slice(2)] : []
    })
  })
  const inline = [...text.matchAll(/`((?:petstore|npm|node) [^`\n]+)`/g)].map(([, command = '']) => command)
  return [...blocks, ...inline]
    .flatMap((line) =>
      line
        .replace(/# or: /, '&& ')
        .replace(/(^|\s)#.*$/, '')
        .split(/&&|\|\|?|;/),
    )
    .map((command) => command.trim().replace(/^(?:[A-Z_]+=\S+ +)+/, ''))
    .filter((command) => command !== '')
    .map((command) => ({ document, words: command.split(/\s+/).map((word) => word.replace(/^\[|\]$/g, '')) }))
}

/** What follows the name of our program, undefined for other programs. */
function afterPetstore(words: readonly string[]): string[] | undefined {
  if (words[0] === 'petstore' || words[0] === 'bin/petstore.js') return words.slice(1)
  if (words[0] === 'npx' && /@petstore\/server$|petstore-server/.test(words[1] ?? '')) return words.slice(2)
  if (words[0] === 'npm' && words[1] === 'run' && words[2] === 'petstore') return words.slice(4)
  if (words[0] === 'npm' && words[1] === 'run' && words[2] === 'keys') return ['keys', ...words.slice(4)]
  if (words[0] === 'npm' && words[1] === 'start') return ['serve', ...words.slice(3)]
  return undefined
}

function describe({ document, words }: Command): string {
  return `${document}: ${words.join(' ')}`
}
