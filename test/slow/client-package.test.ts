import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { clientTour, faultsOfTour, linesOfTour } from '../support/client-tour.ts'
import { faultyProxy } from '../support/faulty-proxy.ts'
import { compile, installClient, linesOf, readExamples } from '../support/installed-client.ts'
import { runtimes } from '../support/runtimes.ts'
import { startSandbox } from '../support/sandbox.ts'
import { startService } from '../support/service.ts'

test('the package works as the README says in an empty project', async (t) => {
  const [project, { origin, key }, sandbox] = await Promise.all([installClient(t), startService(t), startSandbox(t)])
  const examples = readExamples(origin, key, sandbox.origin)
  mkdirSync(join(project, 'compiled'))
  for (const [index, { language, code }] of examples.entries()) {
    const folder = language === 'ts' ? project : join(project, 'compiled')
    writeFileSync(join(folder, `example-${index}.${language}`), code)
  }
  const installed = join(project, 'node_modules', '@petstore', 'client')

  await t.test('it has only the needed files and no dependencies', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>

    assert.deepEqual(readdirSync(installed).toSorted(), ['LICENSE', 'README.md', 'dist', 'package.json'])
    assert.deepEqual(readdirSync(join(project, 'node_modules', '@petstore')), ['client'])
    assert.equal(manifest['dependencies'], undefined)
  })

  await t.test('the README names every export', () => {
    const index = readFileSync(join(installed, 'dist', 'index.d.ts'), 'utf8')
    const entries = ['sandbox', 'webhooks'].map((name) => readFileSync(join(installed, 'dist', `${name}.d.ts`), 'utf8'))
    const readme = readFileSync(join(installed, 'README.md'), 'utf8')
    const names = [
      ...[...index.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) => list.match(/\b(?!type\b)\w+/g) ?? []),
      ...entries.flatMap((text) => [
        ...[...text.matchAll(/^export type \{(.*)\}/gm)].flatMap(([, list = '']) => list.match(/\w+/g) ?? []),
        ...[...text.matchAll(/^export (?:declare )?(?:class|const|interface|type) (\w+)/gm)].map(
          ([, name = '']) => name,
        ),
      ]),
    ]

    assert.ok(names.includes('PetStore') && names.includes('WithEtag') && names.includes('SandboxPetStore'))
    assert.ok(names.includes('SeedRecord') && names.includes('JournalEntry') && names.includes('Webhooks'))
    assert.deepEqual(
      names.filter((name) => !new RegExp(`\\b${name}\\b`).test(readme)),
      [],
    )
  })

  await t.test('the examples compile with the strictest TypeScript settings', () => compile(project))

  assert.ok(examples.length >= 5)
  for (const [index, { heading, prints }] of examples.entries()) {
    await t.test(`the example of "${heading}" prints what it says`, async () => {
      assert.deepEqual(await linesOf(process.execPath, [`compiled/example-${index}.js`], project), prints)
    })
  }

  for (const { name, command, args } of runtimes()) {
    const skip = command === undefined && `NOT TESTED: ${name} is tried by npm run test:runtimes`
    await t.test(`it works under ${name}`, { skip }, async (t) => {
      const faulty = await faultyProxy(t, origin)
      const silent = await faultyProxy(t, origin)
      faulty.next(...faultsOfTour)
      silent.next('hang', 'hang')
      const tour = clientTour({
        module: '@petstore/client',
        webhooks: '@petstore/client/webhooks',
        key,
        faulty: `${faulty.origin}/v1`,
        silent: `${silent.origin}/v1`,
        nowhere: 'http://127.0.0.1:9/v1',
      })
      writeFileSync(join(project, 'tour.js'), `const print = (...values) => console.log(...values)\n${tour}`)

      assert.deepEqual(await linesOf(command ?? '', [...args, 'tour.js'], project), linesOfTour)
    })
  }
})
