import { execFile } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toolFile } from './tools.ts'

/** Runs Redocly to its end, without any request but those of its task. */
export function redocly(args: readonly string[], cwd: string): Promise<{ code: number; output: string }> {
  const cli = toolFile('@redocly/cli/bin/cli.js')
  const env = { PATH: process.env['PATH'], HOME: cwd, NO_COLOR: '1', REDOCLY_TELEMETRY: 'off', CI: 'true' }
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], { cwd, env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + (error === null ? '' : stderr) })
    })
  })
}

export interface WorkflowsRun {
  /** The base address, which ends in /v1. */
  url: string
  /** An admin key. */
  key: string
  /** Their ids. Default: all. */
  workflows?: readonly string[]
  /** A category without animals. Default: a random one. */
  categoryId?: number
  idempotencyKey?: string
}

export interface StepResult {
  /** Such as `retry-safely/repeat`. */
  step: string
  /** The criteria that do not hold. */
  failed: string[]
}

/** Runs the workflows that a service serves at /arazzo.yaml against it, with `redocly respect`. */
export async function runWorkflows({
  url,
  key,
  workflows = [],
  categoryId = randomInt(1_000_000, 2 ** 40),
  idempotencyKey = randomUUID(),
}: WorkflowsRun): Promise<StepResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-workflows-'))
  try {
    for (const name of ['arazzo.yaml', 'openapi.json']) {
      writeFileSync(join(folder, name), await (await fetch(new URL(`/${name}`, url))).text())
    }
    const inputs = Object.entries({ apiKey: key, categoryId, idempotencyKey })
    const task = ['respect', 'arazzo.yaml', '--server', `petstore=${url}`, '--json-output', 'result.json']
    const { output } = await redocly(
      [
        ...task,
        ...inputs.flatMap(([name, value]) => ['--input', `${name}=${value}`]),
        ...workflows.flatMap((workflow) => ['--workflow', workflow]),
      ],
      folder,
    )
    return readResult(join(folder, 'result.json'), output)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Result {
  files: Record<string, { executedWorkflows: { workflowId: string; executedSteps: Step[] }[] }>
}
interface Step {
  stepId: string
  checks: { name: string; condition?: string; passed: boolean; message?: string }[]
}

function readResult(path: string, output: string): StepResult[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw new Error(`respect ended without a result: ${output}`)
  }
  const { files } = JSON.parse(text) as Result
  return Object.values(files).flatMap(({ executedWorkflows }) =>
    executedWorkflows.flatMap(({ workflowId, executedSteps }) =>
      executedSteps.map(({ stepId, checks }) => ({
        step: `${workflowId}/${stepId}`,
        failed: checks
          .filter(({ passed }) => !passed)
          .map(({ name, condition, message }) => condition ?? message ?? name),
      })),
    ),
  )
}
