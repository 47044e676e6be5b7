import assert from 'node:assert/strict'
import { test } from 'node:test'
import { provenanceFault } from '../../release/publish.ts'

const workflow = {
  NPM_CONFIG_PROVENANCE: 'true',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'owner/petstore',
}
const manifest = (url?: string) => ({ name: '@petstore/client', ...(url !== undefined && { repository: { url } }) })

for (const [what, repository, fault] of [
  [
    'no repository',
    undefined,
    /^@petstore\/client names no repository: .* must be git\+https:\/\/github\.com\/owner\/petstore\.git\.$/,
  ],
  [
    'another repository',
    'git+https://github.com/owner/other.git',
    /^@petstore\/client names git\+https:.*other\.git: /,
  ],
  ['its repository', 'git+https://github.com/owner/petstore.git', undefined],
  ['its repository without an ending', 'https://github.com/owner/petstore', undefined],
] as const) {
  test(`with provenance, a package that names ${what} is ${fault === undefined ? 'published' : 'refused'}`, () => {
    const found = provenanceFault([manifest(repository)], workflow)

    if (fault === undefined) assert.equal(found, undefined)
    else assert.match(found ?? '', fault)
  })
}

test('without provenance, a package needs no repository', () => {
  assert.equal(provenanceFault([manifest()], {}), undefined)
})
