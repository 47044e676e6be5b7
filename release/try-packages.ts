import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { mustRun, installOnce } from '../test/support/cache.ts'
import { emptyMachine, installPrograms } from '../test/support/other-node.ts'

interface Shop {
  url: string
  key: string
}

/** What npm's users see of a package before they run it: its files, its entries and its types. */
export function lintPackages(out: string): void {
  const tools = installOnce(join(import.meta.dirname, 'tools'))
  if (tools === undefined) throw new Error('The packages of release/tools cannot be fetched.')
  const run = (tool: string, ...args: string[]) =>
    mustRun(process.execPath, [join(tools, 'node_modules', tool), ...args])
  for (const file of packedFiles(out)) {
    run('publint/src/cli.js', 'run', join(out, file), '--strict')
    // The server is loaded by `import` only; the client also by `require`. verify is a program, and has no types.
    const profile = file.includes('server') ? 'esm-only' : 'strict'
    run('@arethetypeswrong/cli/dist/index.js', join(out, file), '--profile', profile)
  }
}

const packedFiles = (out: string) => readdirSync(out).filter((file) => file.endsWith('.tgz'))

const useOfClient = `
import { createRequire } from 'node:module'
import { PetStore } from '@petstore/client'

const [, baseUrl, apiKey] = process.argv
const { PetStore: Required } = createRequire(import.meta.url)('@petstore/client')
const { id } = await new PetStore({ baseUrl, apiKey }).pets.create({ name: 'Rex', categoryId: 9007199254740993n })
const [pet] = await Array.fromAsync(new Required({ baseUrl, apiKey }).pets.list({ ids: [id] }))
if (pet.categoryId !== 9007199254740993n || pet.name !== 'Rex') throw new Error(JSON.stringify(pet))
`
const useOfTesting = `
import { startPetStore } from '@petstore/server/testing'

const shop = await startPetStore({ seed: [{ id: 7, name: 'Rex', categoryId: 1 }] })
if ((await shop.client.pets.find(7)).name !== 'Rex') throw new Error('not Rex')
await shop.stop()
`

/**
 * Installs each package into an empty folder with a Node and its npm, and runs it: a sandbox, which the client uses and
 * verify judges. A package that needs a newer Node must make npm say so.
 */
export async function tryPackages(
  out: string,
  work: string,
  { node, npm }: { node: string; npm: string },
): Promise<void> {
  mkdirSync(work)
  const programs = installPrograms(work, node, npm)
  const home = join(work, 'home')
  mkdirSync(home)
  const env = emptyMachine(programs, home)
  const own = join(programs, 'node')

  /** Returns the folder of the project, or undefined if the package is not for this Node. */
  function install(name: string): string | undefined {
    const cwd = join(work, name)
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'package.json'), '{ "private": true, "type": "module" }')
    const file = packedFiles(out).find((file) => file.includes(`-${name}-`)) as string
    const { status, stderr } = spawnSync('npm', ['install', join(out, file)], { cwd, env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`npm ${npm} cannot install ${file}: ${stderr}`)
    const manifest = join(cwd, 'node_modules/@petstore', name, 'package.json')
    const { engines } = JSON.parse(readFileSync(manifest, 'utf8')) as { engines: { node: `>=${number}` } }
    if (Number.parseInt(node, 10) >= Number(engines.node.slice(2))) return cwd
    if (!stderr.includes('EBADENGINE'))
      throw new Error(`npm ${npm} installs ${file} under Node ${node} without a word.`)
    return undefined
  }

  const [server, client, verify] = [install('server'), install('client'), install('verify')]
  if (server === undefined || verify === undefined) throw new Error('Server and verify run under every Node.')
  const options = { env, timeout: 120_000 }
  mustRun(own, ['--input-type=module', '--eval', useOfTesting], { cwd: server, ...options })
  const args = [join(server, 'node_modules/.bin/petstore'), 'sandbox', '--port', '0', '--json']
  await withShop(own, args, env, ({ url, key }) => {
    if (client !== undefined)
      mustRun(own, ['--input-type=module', '--eval', useOfClient, url, key], { cwd: client, ...options })
    const judge = join(verify, 'node_modules/.bin/petstore-verify')
    mustRun(own, [judge, '--url', url, '--key', key, '--rate', '100000'], { cwd: verify, ...options })
  })
}

/** Unpacks the folder with Node inside and runs it where there is no other Node, and by a link. */
export async function tryProgram(archive: string, work: string, version: string): Promise<void> {
  mkdirSync(work)
  mustRun('tar', ['-xzf', archive, '-C', work, '--strip-components=1'])
  const tools = join(work, 'only-these')
  mkdirSync(tools)
  for (const name of ['sh', 'dirname', 'readlink']) symlinkSync(mustRun('which', [name]).trim(), join(tools, name))
  const env = { PATH: tools, HOME: join(work, 'nowhere') }
  const link = join(tools, 'petstore')
  symlinkSync('../petstore', link)
  const said = mustRun(link, ['--version'], { env }).trim()
  if (said !== version) throw new Error(`The program says that it is ${said}, not ${version}.`)
  await withShop(join(work, 'petstore'), ['sandbox', '--port', '0', '--json'], env, async ({ url, key }) => {
    const { status } = await fetch(`${url}/pets`, { headers: { authorization: `Bearer ${key}` } })
    if (status !== 200) throw new Error(`The program answers with ${status}.`)
  })
}

/** Runs a sandbox while `use` runs. */
async function withShop(
  command: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
  use: (shop: Shop) => void | Promise<void>,
): Promise<void> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  const timer = setTimeout(() => child.kill('SIGKILL'), 300_000)
  try {
    const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
    if (value === undefined) throw new Error(`${command} ended before it served.`)
    await use(JSON.parse(value) as Shop)
  } finally {
    clearTimeout(timer)
    child.kill('SIGTERM')
    await closed
  }
}
