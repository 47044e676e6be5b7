import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startService } from '../support/service.ts'

// Run by `npm run test:generators`, which installs the generators first.
const folder = fileURLToPath(new URL('.', import.meta.url))
const document = fileURLToPath(new URL('../../openapi.json', import.meta.url))
const key = 'a-key-for-generated-clients'

interface Generator {
  name: string
  /** The program in node_modules/.bin and its arguments; `out` is a folder that is there and empty. */
  command(out: string): [program: string, ...args: string[]]
  /** Configuration files to write into `out` first. */
  config?: Record<string, (out: string) => string>
  /** The type of a change to an animal in the generated code, and how to import it. */
  petChange: { imports: string; type: string }
}

const fromApi = { imports: "import type { PetChange } from './api.ts'", type: 'PetChange' }

const generators: Generator[] = [
  {
    name: 'openapi-typescript',
    petChange: {
      imports: "import type { components } from './schema.ts'",
      type: "components['schemas']['PetChange']",
    },
    command: (out) => ['openapi-typescript', document, '--output', join(out, 'schema.ts')],
  },
  {
    name: 'hey-api',
    petChange: { imports: "import type { PetChange } from './client/types.gen.ts'", type: 'PetChange' },
    command: (out) => [
      'openapi-ts',
      '--input',
      document,
      '--output',
      join(out, 'client'),
      '--client',
      '@hey-api/client-fetch',
    ],
  },
  {
    name: 'orval',
    petChange: fromApi,
    config: {
      'orval.config.mjs': (out) =>
        `export default { petstore: { input: ${JSON.stringify(document)}, output: { target: ${JSON.stringify(join(out, 'api.ts'))}, client: 'fetch' } } }`,
    },
    command: (out) => ['orval', '--config', join(out, 'orval.config.mjs')],
  },
  {
    name: 'openapi-zod-client',
    petChange: {
      imports: "import type { z } from 'zod'\nimport { schemas } from './client.ts'",
      type: 'z.infer<typeof schemas.PetChange>',
    },
    command: (out) => ['openapi-zod-client', document, '--output', join(out, 'client.ts')],
  },
  {
    name: 'swagger-typescript-api',
    petChange: fromApi,
    command: (out) => ['swagger-typescript-api', 'generate', '--path', document, '--output', out, '--name', 'api.ts'],
  },
  {
    name: 'openapi-generator-plus',
    petChange: { imports: "import type { Api } from './models.ts'", type: 'Api.PetChange' },
    command: (out) => [
      'openapi-generator-plus',
      '--generator',
      '@openapi-generator-plus/typescript-fetch-client-generator2',
      '--output',
      out,
      document,
    ],
  },
  { name: 'oazapfts', petChange: fromApi, command: (out) => ['oazapfts', document, join(out, 'api.ts')] },
  {
    name: 'rtk-query',
    petChange: fromApi,
    config: {
      'config.json': (out) =>
        JSON.stringify({ schemaFile: document, apiFile: './empty-api.ts', outputFile: join(out, 'api.ts') }),
      'empty-api.ts': () =>
        "import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query'\nexport const api = createApi({ baseQuery: fetchBaseQuery({ baseUrl: '/v1' }), endpoints: () => ({}) })\n",
    },
    command: (out) => ['rtk-query-codegen-openapi', join(out, 'config.json')],
  },
  {
    name: 'openapi-typescript-codegen',
    petChange: { imports: "import type { PetChange } from './client/models/PetChange.ts'", type: 'PetChange' },
    command: (out) => ['openapi', '--input', document, '--output', join(out, 'client')],
  },
]

for (const { name, command, config = {}, petChange } of generators) {
  test(`${name} generates code that type-checks in strict mode and lets a status be taken away`, async () => {
    const out = emptyFolder(name)
    for (const [file, content] of Object.entries(config)) writeFileSync(join(out, file), content(out))
    const [program, ...args] = command(out)

    await runTool(program, args)

    const { imports, type } = petChange
    const use = `export const remove: ${type} = { status: null }`
    const misuse = ['// @ts-expect-error: "null" is no status', `export const wrong: ${type} = { status: 'null' }`]
    writeFileSync(join(out, 'uses.ts'), [imports, use, ...misuse, ''].join('\n'))
    await typeCheck(out)
    for (const file of globSync('**/*.ts', { cwd: out })) {
      assert.doesNotMatch(readFileSync(join(out, file), 'utf8'), /[^\P{Cc}\t\n\r]/u, `${file} is binary`)
    }
  })
}

const talkers: Record<string, string> = {
  'openapi-typescript': `
    import createClient from 'openapi-fetch'
    import type { paths } from './schema.ts'
    const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${apiKey}\` } })
    const created = await client.POST('/pets', { body: { name: 'Rex', categoryId: 1, status: 'available' } })
    const id: number | undefined = created.data?.id
    const changed = await client.PATCH('/pets/{petId}', { params: { path: { petId: id ?? 0 } }, body: { status: null } })
    const listed = await client.GET('/pets', { params: { query: { limit: 5 } } })
    const refused = await client.GET('/pets', { params: { query: { limit: 500 } } })
    console.log(JSON.stringify([created.response.status, changed.data, listed.data, refused.error?.code]))`,
  'hey-api': `
    import { createClient } from './client/client/index.ts'
    import { createPet, listPets, updatePet } from './client/sdk.gen.ts'
    const client = createClient({ baseUrl, auth: () => apiKey })
    const created = await createPet({ client, body: { name: 'Rex', categoryId: 1, status: 'available' } })
    const id = created.data?.id ?? 0
    const changed = await updatePet({ client, path: { petId: id }, body: { status: null } })
    const listed = await listPets({ client, query: { limit: 5 } })
    const refused = await listPets({ client, query: { limit: 500 } })
    console.log(JSON.stringify([created.response?.status, changed.data, listed.data, refused.error?.code]))`,
}

for (const [name, program] of Object.entries(talkers)) {
  test(`a client that ${name} generated talks to the service`, async (t) => {
    const service = await startService(t, { env: { PETSTORE_API_KEY: key, PETSTORE_DATABASE_URL: 'sqlite::memory:' } })
    const out = join(folder, 'out', name)
    const settings = `const baseUrl = ${JSON.stringify(`${service.origin}/v1`)}\nconst apiKey = '${key}'\n`
    writeFileSync(join(out, 'talk.ts'), `${program.trimStart()}\n`.replace(/\n(?=\s*const )/, `\n${settings}`))

    await typeCheck(out)
    const { stdout } = await promisify(execFile)(process.execPath, [await bundle(out, 'talk.ts')])

    const pet = { id: 1, name: 'Rex', categoryId: 1 }
    assert.deepEqual(JSON.parse(stdout), [201, pet, [pet], 'invalid_parameter'])
  })
}

function emptyFolder(name: string): string {
  const out = join(folder, 'out', name)
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  return out
}

async function runTool(program: string, args: readonly string[], cwd = folder): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(folder, 'node_modules/.bin', program), ...args],
      { cwd },
    )
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

async function typeCheck(out: string): Promise<void> {
  const options = {
    strict: true,
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  }
  const include = ['**/*.ts']
  writeFileSync(join(out, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include }))
  await runTool('tsc', ['--project', out])
}

/** Node does not find files without an ending, as generated code imports them. */
async function bundle(out: string, file: string): Promise<string> {
  const bundled = join(out, 'bundled.mjs')
  await runTool('esbuild', [
    join(out, file),
    '--bundle',
    '--platform=node',
    '--format=esm',
    '--log-level=error',
    `--outfile=${bundled}`,
  ])
  return bundled
}
