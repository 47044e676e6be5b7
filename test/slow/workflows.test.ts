import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { runWorkflows } from '../support/redocly.ts'
import { startService } from '../support/service.ts'
import { findTools, skipWithoutTools } from '../support/tools.ts'

test('every workflow of /arazzo.yaml runs against the service', async (t) => {
  if (findTools() === undefined) return t.skip(skipWithoutTools)
  const { origin, key } = await startService(t)
  const { workflows } = parse(await (await fetch(`${origin}/arazzo.yaml`)).text()) as {
    workflows: { workflowId: string; steps: { stepId: string }[] }[]
  }

  const results = await runWorkflows({ url: `${origin}/v1`, key })

  assert.deepEqual(
    results.filter(({ failed }) => failed.length > 0),
    [],
  )
  assert.deepEqual(
    results.map(({ step }) => step),
    workflows.flatMap(({ workflowId, steps }) => steps.map(({ stepId }) => `${workflowId}/${stepId}`)),
  )
})

test('a workflow fails at the criterion that does not hold', async (t) => {
  if (findTools() === undefined) return t.skip(skipWithoutTools)
  const { origin, key } = await startService(t)
  const run = { url: `${origin}/v1`, key, workflows: ['retry-safely'], categoryId: 7, idempotencyKey: 'once' }

  await runWorkflows(run)
  const [first] = await runWorkflows(run)

  assert.deepEqual(first, { step: 'retry-safely/add', failed: ['$response.header.Idempotent-Replayed == null'] })
})
