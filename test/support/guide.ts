import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '../..')

export const languages = ['sh', 'ts', 'py'] as const
export type Language = (typeof languages)[number]

/** A block of code of a guide. */
export interface Block {
  language: Language
  code: string
  /** The block of text right below it, if there is one. */
  prints: string
  /** "Save this as `NAME` …:" above it. Such a block is not run by itself. */
  file?: string
}

export function readGuide(path: string): Block[] {
  const text = readFileSync(path, 'utf8')
  const fences = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  return fences.flatMap(([whole, language = '', code = ''], index) => {
    if (!isLanguage(language)) return []
    const start = fences[index]?.index ?? 0
    const next = fences[index + 1]
    const isFollowed = next?.[1] === 'text' && text.slice(start + whole.length, next.index).trim() === ''
    const above = text.slice(0, start).trimEnd().split('\n\n').at(-1) ?? ''
    const file = /Save\s+this\s+as\s+`([\w.-]+)`.*:$/s.exec(above)?.[1]
    return { language, code, prints: isFollowed ? (next[2] ?? '') : '', ...(file !== undefined && { file }) }
  })
}

function isLanguage(text: string): text is Language {
  return (languages as readonly string[]).includes(text)
}

/** The Python of this machine. Its name may be a script that needs the settings of its user. */
export function findPython(): string | undefined {
  try {
    return execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

const python = findPython()
const marker = '-- end of a block --'
const between: Record<Language, string> = {
  sh: `echo '${marker}'`,
  ts: `console.log('${marker}')`,
  py: `print('${marker}')`,
}

/** A folder in which programs find the client library, from its source. */
export function prepareProject(folder: string): void {
  const installed = join(folder, 'node_modules/@petstore/client')
  mkdirSync(installed, { recursive: true })
  const exported = { '.': './index.js', './sandbox': './sandbox.js', './webhooks': './webhooks.js' }
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ type: 'module', exports: exported }))
  for (const name of ['index', 'sandbox', 'webhooks']) {
    const source = pathToFileURL(join(root, 'client/src', `${name}.ts`)).href
    writeFileSync(join(installed, `${name}.js`), `export * from '${source}'\n`)
  }
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
}

/** The environment of a reader: the address, the key, and `node` and `python3` as commands. */
export function readersEnvironment(folder: string, url: string, key: string): Record<string, string> {
  const path = [dirname(process.execPath), python && dirname(python), process.env['PATH']]
  return { PATH: path.filter(Boolean).join(':'), HOME: folder, LANG: 'C.UTF-8', URL: url, KEY: key }
}

/** Writes the files that a guide says to save, and all other blocks of a language as one program. */
export function writeProgram(folder: string, blocks: readonly Block[], language: Language): string {
  mkdirSync(folder, { recursive: true })
  for (const { file, code } of blocks) if (file !== undefined) writeFileSync(join(folder, file), code)
  const pieces = blocks.filter((block) => block.language === language && block.file === undefined)
  const program = join(folder, `guide.${language}`)
  writeFileSync(program, pieces.map(({ code }) => `${code}\n${between[language]}\n`).join(''))
  return program
}

/** Runs a program of `writeProgram` and returns what each of its blocks printed. */
export function runProgram(program: string, language: Language, env: Record<string, string>): Promise<string[]> {
  const command = { sh: 'bash', ts: process.execPath, py: python ?? 'python3' }[language]
  return new Promise((resolve, reject) => {
    execFile(command, [program], { cwd: dirname(program), env }, (error, stdout, stderr) => {
      if (error !== null || stderr !== '') reject(new Error(`${program} failed: ${stdout}\n${stderr}`))
      // Lines of HTTP end in \r\n, which nobody sees.
      else resolve(stdout.replaceAll('\r\n', '\n').split(`${marker}\n`).slice(0, -1))
    })
  })
}

/** Whether a block printed what the page says. `…` in a line of the page stands for anything. */
export function isAsShown(printed: string, shown: string): boolean {
  const pattern = shown.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pattern.join('[^\\n]*')}$`).test(printed)
}
