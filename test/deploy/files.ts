import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { stopTimeoutMs } from '../../src/cli/serving/stop.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The text of a file, by its path from the root of the repository. */
export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** What is in deploy/, by path from the root; not what secrets.sh may have made there. */
export const deployed = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true, encoding: 'utf8' })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
  .filter((path) => !path.startsWith('deploy/secrets/'))

/** A Dockerfile's instructions in their order, comments and line breaks gone. */
export const dockerfile = read('deploy/Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .flatMap((line) => {
    const [, name, rest] = /^([A-Z]+) +(.*)$/.exec(line.trim()) ?? []
    return name === undefined || rest === undefined ? [] : [{ name, rest: rest.replaceAll(/ {2,}/g, ' ') }]
  })

/** The instructions of the last stage: what the image is. */
export const image = dockerfile.slice(dockerfile.findLastIndex(({ name }) => name === 'FROM'))

export function argumentOf(name: string): string {
  const found = image.findLast((instruction) => instruction.name === name)
  if (found === undefined) throw new Error(`The image has no ${name}.`)
  return found.rest
}

/** A list in exec form, such as an ENTRYPOINT. Throws when it is in shell form. */
export function execForm(text: string): string[] {
  return JSON.parse(text) as string[]
}

/** The variables that the image sets. */
export const imageEnvironment = Object.fromEntries(
  image
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ rest }) => rest.split(' ').map((pair) => pair.split('=', 2) as [string, string])),
)

export interface ComposeService {
  image: string
  init?: boolean
  read_only: boolean
  cap_drop: string[]
  security_opt: string[]
  restart: string
  stop_grace_period: string
  user?: string
  environment?: Record<string, string>
  secrets?: (string | { source: string; target: string })[]
  tmpfs?: string[]
  volumes?: string[]
  ports?: string[]
  networks: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[] }
  build?: { context: string; dockerfile: string }
  deploy: { resources: { limits: { cpus: string; memory: string; pids: number } } }
}

export interface Compose {
  services: Record<string, ComposeService>
  networks: Record<string, { internal?: boolean } | null>
  volumes: Record<string, unknown>
  secrets: Record<string, { file: string }>
}

export const compose = parse(read('deploy/compose.yaml'), { merge: true }) as Compose

/** The seconds of a duration such as 15s. */
export function seconds(duration: string): number {
  const [, number] = /^([0-9]+)s$/.exec(duration) ?? []
  if (number === undefined) throw new Error(`Not a number of seconds: ${duration}`)
  return Number(number)
}

/** How long the service gives its requests once it is told to stop, in seconds. Whoever stops it must wait longer. */
export const graceful = stopTimeoutMs / 1000

/** The flags that `npm start` gives to Node. */
export const nodeFlags = packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--'))

/** The settings of the system's library that `npm start` gives to Node, such as NAME=value. */
export const nodeEnvironment = packageJson.scripts.start.split(' ').filter((word) => /^[A-Z_]+=/.test(word))

/** Why a check by this program cannot be made here, or false. To be given to `skip`. */
export function missing(program: string, toInstall: string, ...probe: string[]): string | false {
  return spawnSync(program, probe).status === 0
    ? false
    : `NOT CHECKED: "${[program, ...probe].join(' ')}" does not run here; install ${toInstall}`
}

/** Runs a program to its end. */
export function runProgram(program: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}
