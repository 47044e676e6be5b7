import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../ports.ts'
import { commandTimeoutMs, type Driver, ended, installed, withinTime } from './driver.ts'

type Call = (method: string, path: string, body?: object) => Promise<unknown>

/**
 * Starts the WebKit of webkit2gtk-driver on a screen of its own (Xvfb) and drives it by WebDriver. Undefined if either is
 * missing or does not start.
 */
export async function startWebKit(): Promise<Driver | undefined> {
  if (installed('WebKitWebDriver') === undefined || installed('Xvfb') === undefined) return undefined
  const home = mkdtempSync(join(tmpdir(), 'petstore-test-webkit-'))
  const children: ChildProcess[] = []
  const end = async () => {
    for (const child of children.toReversed()) {
      child.kill()
      await ended(child)
    }
    rmSync(home, { recursive: true, force: true })
  }
  try {
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    children.push(screen)
    const [display] = (await withinTime('the start of Xvfb', once(screen.stdio[3] as Readable, 'data'))) as [Buffer]
    const port = await freePort()
    const env = {
      ...process.env,
      DISPLAY: `:${display.toString().trim()}`,
      HOME: home,
      XDG_CACHE_HOME: home,
      // Faster without a graphics card.
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    }
    const args = ['--host=127.0.0.1', `--port=${port}`]
    children.push(spawn('WebKitWebDriver', args, { stdio: 'ignore', env }))
    return await openPage(caller(`http://127.0.0.1:${port}`), end)
  } catch (error) {
    process.stderr.write(`WebKit does not start: ${String(error)}\n`)
    await end()
    return undefined
  }
}

function caller(origin: string): Call {
  return async (method, path, body) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(commandTimeoutMs),
    })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`${path}: ${(value as { message: string }).message}`)
    return value
  }
}

async function openPage(callDriver: Call, end: () => Promise<void>): Promise<Driver> {
  await listens(callDriver)
  const { sessionId } = (await callDriver('POST', '/session', { capabilities: { alwaysMatch: {} } })) as {
    sessionId: string
  }
  const call: Call = (method, path, body) => callDriver(method, `/session/${sessionId}${path}`, body)
  await call('POST', '/window/rect', { width: 1280, height: 900 })
  return {
    goto: async (url) => void (await call('POST', '/url', { url })),
    async evaluate(expression) {
      const script = `
        const done = arguments[0]
        new Promise((resolve) => resolve(${expression})).then(
          (value) => done({ value: value ?? null }),
          (error) => done({ error: String(error) }),
        )`
      const outcome = await call('POST', '/execute/async', { script, args: [] })
      const { value, error } = outcome as { value?: unknown; error?: string }
      if (error !== undefined) throw new Error(error)
      return value
    },
    perform: async (sources) => void (await call('POST', '/actions', { actions: sources })),
    async chooseFile(inputId, path) {
      const element = await call('POST', '/element', { using: 'css selector', value: `#${inputId}` })
      const [reference] = Object.values(element as Record<string, string>)
      await call('POST', `/element/${reference}/value`, { text: path })
    },
    async close() {
      await call('DELETE', '').catch(() => undefined)
      await end()
    },
  }
}

/** Resolves when the driver listens. */
async function listens(call: Call): Promise<void> {
  for (const end = Date.now() + commandTimeoutMs; ; await sleep(50)) {
    try {
      return void (await call('GET', '/status'))
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}
