import assert from 'node:assert/strict'
import type { Bug } from '../../../src/sandbox/bugs/bug.ts'
import type { TestSandbox } from '../../support/sandbox.ts'
import { proofs } from './all.ts'
import type { Proof, ProofShop } from './proof.ts'

/** Shows that a shop with the bug is wrong, and that the same shop without it is right. */
export async function prove(sandbox: TestSandbox, { name, kind }: Bug): Promise<void> {
  const proof = proofs[name] as Proof
  // Requests without a key of a shop go to the shop `default`.
  const shop = shopOf(sandbox, kind === 'auth' ? 'default' : name)
  await shop.send('POST /sandbox/reset')
  const right = await proof.run(shop)
  await shop.send('POST /sandbox/reset')
  assert.equal((await shop.send('PUT /sandbox/bugs', [name])).status, 200)
  const wrong = await proof.run(shop)
  await shop.send('PUT /sandbox/bugs', [])

  assert.deepEqual({ name, right, wrong }, { name, right: proof.right, wrong: proof.wrong })
}

export function shopOf({ send, sendRaw, origin }: TestSandbox, name: string): ProofShop {
  return { send: (...request) => send(name, ...request), raw: sendRaw, key: `sandbox_${name}`, origin }
}
