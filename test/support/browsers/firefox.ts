import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Driver, ended, installed, withinTime } from './driver.ts'

/** No request leaves this machine, whatever Firefox wants to look up or update. */
const preferences = {
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.proxy.no_proxies_on': '127.0.0.1',
  'ui.prefersReducedMotion': 1,
}

interface Answer {
  id?: number
  type?: string
  message?: string
  result?: Result
}

interface Result {
  contexts?: { context: string }[]
  type?: string
  result?: { value?: string; sharedId?: string }
  exceptionDetails?: { text: string }
}

/** Starts an installed Firefox and drives it by WebDriver BiDi. Undefined if there is none, or it does not start. */
export async function startFirefox(): Promise<Driver | undefined> {
  const program = installed('firefox-esr', 'firefox')
  if (program === undefined) return undefined
  const profile = mkdtempSync(join(tmpdir(), 'petstore-test-firefox-'))
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`)
  writeFileSync(join(profile, 'user.js'), lines.join(''))
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank']
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const end = async () => {
    await ended(child)
    rmSync(profile, { recursive: true, force: true })
  }
  try {
    const socket = new WebSocket(`${await withinTime('the start of Firefox', addressIn(child.stderr))}/session`)
    await withinTime('the connection to Firefox', once(socket, 'open'))
    return await openPage(commands(socket), end)
  } catch (error) {
    process.stderr.write(`Firefox does not start: ${String(error)}\n`)
    child.kill()
    await end()
    return undefined
  }
}

async function addressIn(output: Readable): Promise<string> {
  let text = ''
  for await (const part of output.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += String(part)
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(text)?.[1]
    if (address === undefined) continue
    // Nobody reads the rest.
    output.resume()
    return address
  }
  throw new Error(text)
}

type Send = (method: string, params?: object) => Promise<Result>

function commands(socket: WebSocket): Send {
  const waiting = new Map<number, PromiseWithResolvers<Result>>()
  let count = 0
  socket.addEventListener('message', ({ data }) => {
    const { id = 0, type, message, result } = JSON.parse(String(data)) as Answer
    const answer = waiting.get(id)
    waiting.delete(id)
    if (type === 'success') answer?.resolve(result ?? {})
    else answer?.reject(new Error(message))
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has ended'))
  })
  return (method, params = {}) => {
    const answer = Promise.withResolvers<Result>()
    waiting.set(++count, answer)
    socket.send(JSON.stringify({ id: count, method, params }))
    return withinTime(method, answer.promise)
  }
}

async function openPage(send: Send, end: () => Promise<void>): Promise<Driver> {
  await send('session.new', { capabilities: {} })
  const context = (await send('browsingContext.getTree')).contexts?.[0]?.context
  await send('browsingContext.setViewport', { context, viewport: { width: 1280, height: 900 } })
  const evaluate = async (expression: string) => {
    const { type, result, exceptionDetails } = await send('script.evaluate', {
      expression,
      target: { context },
      awaitPromise: true,
    })
    if (type === 'exception') throw new Error(exceptionDetails?.text)
    return result
  }
  return {
    goto: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    evaluate: async (expression) => {
      const text = (await evaluate(`Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`))
        ?.value
      return JSON.parse(text ?? 'null') as unknown
    },
    perform: async (sources) => void (await send('input.performActions', { context, actions: sources })),
    async chooseFile(inputId, path) {
      const sharedId = (await evaluate(`document.getElementById('${inputId}')`))?.sharedId
      await send('input.setFiles', { context, element: { sharedId }, files: [path] })
    },
    async close() {
      // The answer may be lost in the end.
      void send('browser.close').catch(() => undefined)
      await end()
    },
  }
}
