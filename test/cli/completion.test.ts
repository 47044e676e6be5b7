import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { temporaryFolder } from '../support/engines.ts'
import { run } from '../support/service.ts'

/** How each shell is asked, in its own words, what it would offer after a line. */
const shells = {
  bash: (script: string, line: string) => `source ${script}
    COMP_WORDS=(${line} '') COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _petstore; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // zsh completes only at a prompt: the function is called with what a prompt would give it.
  zsh: (
    script: string,
    line: string,
  ) => `compdef() { : }; _describe() { print -l -- "\${offers[@]%%:*}" }; source ${script}
    words=(${line} ''); CURRENT=\${#words}; _petstore`,
  fish: (script: string, line: string) => `source ${script}; complete -C '${line} '; complete -C '${line} --'`,
}

async function offered(t: TestContext, shell: keyof typeof shells, line: string): Promise<string[] | undefined> {
  const { code, stdout } = await run(t, ['completion', shell])
  assert.equal(code, 0)
  const script = join(temporaryFolder(t), `petstore.${shell}`)
  writeFileSync(script, stdout)
  const asked = spawnSync(shell, ['-c', shells[shell](script, line)], { encoding: 'utf8', timeout: 20_000 })
  if (asked.error !== undefined) {
    t.skip(`${shell} is not installed: its completion is not tried.`)
    return undefined
  }
  return asked.stdout.split('\n').map((offer) => offer.split('\t')[0] as string)
}

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  for (const [line, some, others] of [
    ['petstore', ['serve', 'keys', 'import', '--help'], ['create', '--demo']],
    ['petstore serve', ['--demo', '--workers'], ['serve', 'create']],
    ['petstore keys', ['create', 'list', 'revoke', 'rotate'], ['serve', '--name']],
    ['petstore keys create --name x', ['--permission', '--expires', '--json'], ['serve', 'create']],
  ] as const) {
    test(`${shell} completes "${line}" with what may follow it and nothing else`, async (t) => {
      const words = await offered(t, shell, line)
      if (words === undefined) return

      for (const word of some) assert.ok(words.includes(word), `${word} is not offered: ${words.join(' ')}`)
      for (const word of others) assert.ok(!words.includes(word), `${word} is offered`)
    })
  }
}

test('petstore completion refuses a shell that it does not know', async (t) => {
  const { code, stderr } = await run(t, ['completion', 'tcsh'])

  assert.deepEqual([code, stderr], [1, 'petstore: The shell must be one of bash, zsh, fish, got "tcsh".\n'])
})

for (const [typed, meant] of [
  [['srve'], 'serve'],
  [['keys', 'lst'], 'list'],
  [['serve', '--dmo'], '--demo'],
] as const) {
  test(`petstore ${typed.join(' ')} asks whether ${meant} was meant`, async (t) => {
    const { code, stderr } = await run(t, [...typed])

    assert.equal(code, 1)
    assert.match(stderr, new RegExp(`Did you mean ${meant}\\?`))
  })
}
