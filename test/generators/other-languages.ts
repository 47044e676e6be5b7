import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

// Run by `npm run test:generators`: what npm has for other languages than TypeScript, with the programs of Debian.
const folder = fileURLToPath(new URL('.', import.meta.url))
const document = fileURLToPath(new URL('../../openapi.json', import.meta.url))
/** One more than a double can hold. */
const pet = '{"id":9007199254740993,"name":"Rex","categoryId":-1,"status":"available"}'

function runTool(program: string, args: readonly string[]): string {
  return execFileSync(process.execPath, [join(folder, 'node_modules/.bin', program), ...args], { encoding: 'utf8' })
}

test('the document passes the JSON Schema of OpenAPI 3.1', () => {
  assert.deepEqual(JSON.parse(runTool('validate-api', [document])), { valid: true })
})

interface Language {
  name: string
  /** The program that runs it, and how to ask whether it is there. */
  program: string
  version: string
  file: string
  /** A program that reads a pet, and writes it again if the language needs no further library for that. */
  source: { file: string; text: string }
  command: readonly string[]
}

const languages: readonly Language[] = [
  {
    name: 'go',
    program: 'go',
    version: 'version',
    file: 'pet.go',
    source: {
      file: 'main.go',
      text: `package main
import "os"
func main() {
  pet, err := UnmarshalPet([]byte(\`${pet}\`))
  if err != nil { panic(err) }
  text, err := pet.Marshal()
  if err != nil { panic(err) }
  os.Stdout.Write(text)
}
`,
    },
    command: ['run', 'pet.go', 'main.go'],
  },
  {
    name: 'python',
    program: 'python3',
    version: '--version',
    file: 'pet.py',
    source: {
      file: 'main.py',
      text: `import json, pet\nprint(json.dumps(pet.pet_to_dict(pet.pet_from_dict(json.loads('${pet}')))))\n`,
    },
    command: ['main.py'],
  },
  {
    name: 'php',
    program: 'php',
    version: '--version',
    file: 'pet.php',
    source: {
      file: 'main.php',
      text: `<?php require 'pet.php'; echo json_encode(Pet::from(json_decode('${pet}'))->to());\n`,
    },
    command: ['main.php'],
  },
]

for (const { name, program, version, file, source, command } of languages) {
  test(`quicktype makes ${name} of the schemas, which reads and writes an animal with all digits of its id`, (t) => {
    if (spawnSync(program, [version]).status !== 0) return t.skip(`NOT TESTED: ${program} is not installed`)
    const out = join(folder, 'out', `quicktype-${name}`)
    rmSync(out, { recursive: true, force: true })
    mkdirSync(out, { recursive: true })
    writeFileSync(join(out, 'schema.json'), schemaOf('Pet'))

    const options = ['--src-lang', 'schema', '--lang', name, '--top-level', 'Pet', '--out', join(out, file)]
    runTool('quicktype', [...options, join(out, 'schema.json')])

    writeFileSync(join(out, source.file), source.text)
    const env = { ...process.env, GO111MODULE: 'off', GOCACHE: join(out, 'cache') }
    const text = execFileSync(program, command, { cwd: out, env, encoding: 'utf8' })
    assert.match(text, /"id": ?9007199254740993\b/)
    assert.deepEqual(JSON.parse(text), JSON.parse(pet))
  })
}

/** The schemas of OpenAPI 3.1 are JSON Schema: only their place differs. */
function schemaOf(name: string): string {
  const { components } = JSON.parse(readFileSync(document, 'utf8')) as { components: { schemas: object } }
  const schema = { $ref: `#/definitions/${name}`, definitions: components.schemas }
  return JSON.stringify(schema).replaceAll('#/components/schemas/', '#/definitions/')
}
