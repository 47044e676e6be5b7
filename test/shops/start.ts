import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { until } from '../support/until.ts'
import { changed, type Language, type Shop } from './shop.ts'

export interface RunningShop {
  /** The base address, with /v1. */
  url: string
  key: string
  stop(): Promise<void>
}

const key = 'shop_9fQ2mZx7LwK4bTn8Rc5V'
const sources = { python: 'shop.py', ruby: 'shop.rb', php: 'shop.php', go: 'main.go', node: 'shop.js' }

const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach(endGroup))

/** Whether this machine has the language. */
export function isInstalled(language: Language): boolean {
  const [command, argument] = { ...runners, go: ['go', 'version'] }[language].concat('--version')
  return spawnSync(command ?? '', [argument ?? '']).status === 0
}

const runners: Record<Language, string[]> = {
  python: ['python3'],
  ruby: ['ruby'],
  php: ['php'],
  go: [],
  node: [process.execPath],
}

/** Resolves when it listens. Its process and its folder are gone after `stop`. */
export async function startShop(shop: Shop): Promise<RunningShop> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-shop-'))
  const file = sources[shop.language]
  const path = join(folder, file)
  writeFileSync(path, changed(readFileSync(join(import.meta.dirname, shop.language, file), 'utf8'), shop))
  if (shop.language === 'node') writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const port = shop.language === 'php' ? await freePort() : undefined
  const [command = '', ...parameters] = commandOf(shop.language, path, port)
  const child = spawn(command, parameters, {
    // A group of its own: PHP starts workers.
    detached: true,
    env: { ...process.env, SHOP_KEY: key, SHOP_FILE: join(folder, 'pets.json'), PHP_CLI_SERVER_WORKERS: '4' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  running.add(child)
  const closed = once(child, 'close')
  const stop = async () => {
    endGroup(child)
    await closed
    running.delete(child)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const heard = port === undefined ? await printedPort(child, shop) : await listening(port)
    return { url: `http://127.0.0.1:${heard}/v1`, key, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function commandOf(language: Language, path: string, port: number | undefined): string[] {
  if (language === 'go') return [builtGo(path)]
  if (language === 'php') return ['php', '-S', `127.0.0.1:${port}`, path]
  return [...runners[language], path]
}

/** Built once for each source, into a folder that later runs find again. */
function builtGo(path: string): string {
  const cache = join(tmpdir(), 'petstore-shops')
  const digest = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 20)
  const program = join(cache, digest)
  if (existsSync(program)) return program
  mkdirSync(cache, { recursive: true })
  const env = { ...process.env, GOCACHE: join(cache, 'go'), GOFLAGS: '', GO111MODULE: 'off', CGO_ENABLED: '0' }
  execFileSync('go', ['build', '-o', `${program}.${process.pid}`, path], { env })
  renameSync(`${program}.${process.pid}`, program)
  return program
}

async function printedPort(child: ChildProcess, { name }: Shop): Promise<number> {
  if (child.stdout === null) throw new Error('no stdout')
  for await (const line of createInterface({ input: child.stdout })) return Number(line)
  throw new Error(`${name}: the shop ended before it listened`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function listening(port: number): Promise<number> {
  await until(async () => {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isOpen
  }, 10_000)
  return port
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
