import assert from 'node:assert/strict'
import { test } from 'node:test'
import { channelOf } from '../../release/channel.ts'

const tags = ['v1.0.0', 'v1.1.4', 'v1.2.0', 'v1.10.0', 'v2.0.0-rc.1', 'nightly', '']

for (const [tag, channel] of [
  ['v1.10.0', 'latest'],
  ['v1.10.1', 'latest'],
  ['v2.0.0', 'latest'],
  ['v1.1.5', 'release-1.1'],
  ['v1.9.0', 'release-1.9'],
  ['v2.0.0-rc.2', 'next'],
] as const) {
  test(`the release ${tag} after 1.10.0 is called ${channel}`, () => {
    assert.equal(channelOf(tag, tags), channel)
  })
}
