import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../support/ports.ts'
import type { TestSandbox } from '../../support/sandbox.ts'
import { toolFile } from '../../support/tools.ts'
import { shopKey, type Tool, toolVersion } from './tool.ts'

const document = fileURLToPath(new URL('../../../openapi.json', import.meta.url))

const json = { 'content-type': 'application/json' }
const post = (body: object, headers = {}) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { ...json, ...headers },
})
const patch = (body: object, headers = {}) => ({ ...post(body, headers), method: 'PATCH' })
const rex = { name: 'Rex 🐕', categoryId: 1, status: 'available' }

/** A day in a shop. */
const requests: readonly [path: string, init?: RequestInit][] = [
  ['/pets'],
  ['/pets?limit=2'],
  ['/pets?status=sold'],
  ['/pets?limit=0'],
  ['/pets?limit=101'],
  ['/pets?status=lost'],
  ['/pets?cursor=x'],
  ['/pets?id=1'],
  ['/pets', { headers: { prefer: 'count=exact' } }],
  ['/pets', post(rex)],
  ['/pets', post({ name: 'Tom', categoryId: 0 })],
  ['/pets', post({ categoryId: 1 })],
  ['/pets', post({ name: 'Rex', categoryId: '1' })],
  ['/pets', post(rex, { 'idempotency-key': 'a' })],
  ['/pets', post(rex, { 'idempotency-key': 'a' })],
  ['/pets', post({ ...rex, name: 'Max' }, { 'idempotency-key': 'a' })],
  ['/pets', { headers: { authorization: 'Bearer unknown' } }],
  ['/pets/1'],
  ['/pets/999'],
  ['/pets/1', patch({ name: 'Max' })],
  ['/pets/1', patch({ name: 'Max' }, { 'if-match': '"stale"' })],
  ['/store/orders', post({ petId: 1 })],
  ['/store/orders', post({ petId: 1 })],
  ['/store/orders'],
  ['/store/orders/1', patch({ status: 'cancelled' })],
  ['/store/inventory'],
  ['/categories/1', { method: 'PUT', body: '{"name":"Dogs"}', headers: json }],
  ['/categories'],
  ['/pets/2', { method: 'DELETE' }],
  ['/events'],
]

export function prism(): Tool {
  let proxy: { child: ChildProcess; url: string; upstream: string } | undefined
  return {
    name: 'Prism',
    version: toolVersion('@stoplight/prism-cli'),
    settings: `\`prism proxy openapi.json URL\`, ${requests.length} requests of a day in a shop; found: a violation in a response that an honest shop does not have, or no response`,
    async findings(sandbox) {
      proxy ??= await start(sandbox)
      const found: string[] = []
      for (const [path, init = {}] of requests) {
        const headers = { authorization: `Bearer ${shopKey}`, ...(init.headers as Record<string, string>) }
        try {
          const response = await fetch(proxy.url + path, { ...init, headers, signal: AbortSignal.timeout(10_000) })
          await response.arrayBuffer()
          const text = response.headers.get('sl-violations') ?? '[]'
          const violations = JSON.parse(text) as { location: string[]; message: string }[]
          for (const { location, message } of violations)
            if (location[0] === 'response') found.push(`${path} ${location.join('.')} ${message}`)
        } catch {
          found.push(`${path} has no response`)
        }
      }
      return found
    },
    end: () => void proxy?.child.kill('SIGKILL'),
  }
}

async function start({ origin }: TestSandbox): Promise<{ child: ChildProcess; url: string; upstream: string }> {
  const port = await freePort()
  const prism = toolFile('@stoplight/prism-cli/dist/index.js')
  const args = ['proxy', document, `${origin}/v1`, '--port', String(port), '--host', '127.0.0.1']
  const child = spawn(process.execPath, [prism, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      if (chunk.includes('is listening')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('exit', () => reject(new Error('Prism did not start.')))
  })
  return { child, url: `http://127.0.0.1:${port}`, upstream: origin }
}
