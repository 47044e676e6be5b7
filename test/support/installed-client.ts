import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from './engines.ts'

const runFile = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const client = join(root, 'client')

/** Packs the client and installs it into an empty project, with the command of its README. */
export async function installClient(t: TestContext): Promise<string> {
  const project = temporaryFolder(t)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  const command = /```sh\n(npm pack \.\.\/petstore\/client .*)\n```/.exec(readReadme())?.[1] ?? 'exit 1'
  const env = { ...process.env, npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }
  await runFile('sh', ['-c', command.replace('../petstore/client', client)], { cwd: project, env })
  return project
}

function readReadme(): string {
  return readFileSync(join(client, 'README.md'), 'utf8')
}

const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: 'es2023',
  module: 'nodenext',
  types: [],
  outDir: 'compiled',
}

/**
 * Compiles a project with the strictest TypeScript settings and only its installed packages. Throws the compiler's
 * output. `packages` is a folder with another compiler.
 */
export async function compile(
  project: string,
  { include = ['*.ts'], packages = join(root, 'node_modules'), ...options }: CompileOptions = {},
): Promise<void> {
  const compilerOptions = { ...strictest, ...options.compilerOptions }
  const config = join(project, `tsconfig.${randomUUID()}.json`)
  writeFileSync(config, JSON.stringify({ compilerOptions, include }))
  await runFile(process.execPath, [join(packages, 'typescript/bin/tsc'), '-p', config]).catch(
    ({ stdout }: { stdout: string }) => {
      throw new Error(stdout)
    },
  )
}

export interface CompileOptions {
  compilerOptions?: object
  include?: string[]
  packages?: string
}

export interface Example {
  /** `ts` or `js`. */
  language: string
  /** The heading above the example. */
  heading: string
  code: string
  /** The expected output, from the comments after `console.log`. */
  prints: string[]
}

/** The programs in the client's README, for a service at `origin` and a sandbox. Those in JavaScript use Node. */
export function readExamples(origin: string, key: string, sandboxOrigin: string): Example[] {
  const readme = readReadme()
  const blocks = [...readme.matchAll(/^```(ts|js)\n(.*?)^```/gms)]
  const programs = blocks.filter(([, , block = '']) => block.includes("from '@petstore/client"))
  return programs.map(({ 1: language = '', 2: block = '', index }) => ({
    language,
    heading: [...readme.slice(0, index).matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? '',
    code: block
      .replaceAll('http://127.0.0.1:8080', block.includes("'@petstore/client/sandbox'") ? sandboxOrigin : origin)
      .replaceAll('pet_live_…', key),
    prints: [...block.matchAll(/console\.log\(.*\),? \/\/ (.*)$/gm)].map(([, text = '']) => text),
  }))
}

/** The lines that a command prints on standard output. */
export async function linesOf(command: string, args: readonly string[], cwd: string): Promise<string[]> {
  const { stdout } = await runFile(command, args, { cwd, timeout: 30_000 })
  return stdout.split('\n').slice(0, -1)
}
