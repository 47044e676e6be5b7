import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { parse } from 'yaml'
import { storageMetrics } from '../../src/cli/serving/metrics/process-metrics.ts'
import { certificateMetrics } from '../../src/cli/serving/read-certificate.ts'
import { textOf } from '../../src/cli/serving/metrics/metric.ts'
import { shopMetrics } from '../../src/cli/serving/metrics/shop-metrics.ts'
import { certificate } from '../support/certificates.ts'
import { postgres, temporaryFolder } from '../support/engines.ts'
import { completeMetrics } from '../support/metrics.ts'
import { startService } from '../support/service.ts'
import { missing, read, runProgram } from './files.ts'

interface Panel {
  id: number
  type: string
  title: string
  datasource?: { uid: string }
  targets?: { expr: string; datasource: { uid: string } }[]
  gridPos: { x: number; y: number; w: number; h: number }
}

const dashboard = JSON.parse(read('deploy/monitoring/dashboard.json')) as {
  panels: Panel[]
  templating: { list: { name: string; type: string; definition?: string }[] }
}
const alerts = parse(read('deploy/monitoring/alerts.yaml')) as {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[]
}
const rules = alerts.groups.flatMap((group) => group.rules)
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
const variables = dashboard.templating.list.flatMap(({ definition = [] }) => definition)
const skip = missing('promtool', 'the Debian package prometheus', '--version')

/** What a service on SQLite with backups and HTTPS says, and what one on PostgreSQL with a replica adds. */
let exported: { sqlite: string; postgres: string }

const ends: (() => unknown)[] = []
after(async () => {
  for (const end of ends.toReversed()) await end()
})

before(async () => {
  const t = { after: (end: () => unknown) => void ends.push(end) } as unknown as TestContext
  const service = await startService(t, { env: { PETSTORE_BACKUP_FOLDER: temporaryFolder(t) } })
  const headers = { authorization: `Bearer ${service.key}` }
  await fetch(`${service.origin}/v1/pets`, { headers })
  const storage = await postgres.open(t)
  exported = {
    sqlite:
      (await completeMetrics(
        async () => (await fetch(`${service.origin}/metrics`, { headers })).text(),
        ['petstore_webhooks{', 'petstore_event_stream_lag_events '],
      )) + textOf([certificateMetrics(certificate('first'))]),
    postgres: await completeMetrics(async () =>
      textOf([
        await storageMetrics({ ...storage.stats(), replica: { isRead: true, lagMs: 1 } }),
        await shopMetrics({ storage, clock: Date.now, engine: 'postgres' }),
      ]),
    ),
  }
})

test('every metric in the dashboard and the alerts is one that the service exports', () => {
  const text = exported.sqlite + exported.postgres
  const names = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const used = [...queries, ...variables, ...rules.map(({ expr }) => expr)].flatMap((query) =>
    [...query.matchAll(/\b(?:petstore|nodejs|process)_\w+/g)].map(([name]) => name),
  )

  const unknown = used.filter((name) => !names.has(name) && !names.has(name.replace(/_(bucket|sum|count)$/, '')))
  assert.ok(used.length > 30)
  assert.deepEqual(unknown, [])
})

test('every metric of our own is in the dashboard', () => {
  const text = exported.sqlite + exported.postgres
  const names = [...text.matchAll(/^# TYPE (petstore_\S+)/gm)].map(([, name = '']) => name)

  assert.deepEqual(
    names.filter((name) => !queries.some((query) => new RegExp(`\\b${name}(_bucket|_sum|_count)?\\b`).test(query))),
    [],
  )
})

test('the dashboard asks for its data source when it is imported, and no panel names one', () => {
  assert.deepEqual(dashboard.templating.list[0]?.type, 'datasource')
  for (const { type, title, datasource, targets = [] } of dashboard.panels) {
    if (type === 'row') continue
    assert.equal(datasource?.uid, '${datasource}', title)
    for (const target of targets) assert.equal(target.datasource.uid, '${datasource}', title)
  }
})

test('the panels of the dashboard have ids of their own and do not overlap', () => {
  const { panels } = dashboard
  const overlapping = panels.filter(({ gridPos: a }, index) =>
    panels.some(
      ({ gridPos: b }, other) =>
        other < index && a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h,
    ),
  )

  assert.deepEqual(overlapping, [])
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  assert.ok(panels.every(({ gridPos: { x, w } }) => x + w <= 24))
})

test('promtool accepts the metrics of the service', { skip }, () => {
  const own = `${exported.sqlite}${exported.postgres}`
    .split(/(?=^# HELP )/m)
    .filter((part) => part.startsWith('# HELP petstore'))
  const unique = new Map(own.map((part) => [part.split(' ', 3)[2], part]))

  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: [...unique.values()].join('') })

  assert.equal(status, 0, String(stderr))
})

test('the table of alerts for operators has every alert', () => {
  const listed = [...read('docs/operating.md').matchAll(/^\| `(Petstore\w+)` \|/gm)].map(([, name]) => name)

  assert.deepEqual(
    listed,
    rules.map(({ alert }) => alert),
  )
})

test('promtool accepts the alerts and the queries of the dashboard', { skip }, (t) => {
  const file = join(temporaryFolder(t), 'queries.yaml')
  const asRules = queries.map((query, number) => ({
    record: `query:number${number}`,
    expr: query.replaceAll('$__rate_interval', '5m'),
  }))
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: asRules }] }))

  const { status, output } = runProgram('promtool', 'check', 'rules', 'deploy/monitoring/alerts.yaml', file)

  assert.equal(status, 0, output)
  assert.match(output, new RegExp(`${queries.length} rules found`))
})

test('promtool: each alert comes when it should, and not before', { skip }, () => {
  const { status, output } = runProgram('promtool', 'test', 'rules', 'deploy/monitoring/alerts.test.yaml')

  assert.equal(status, 0, output)
})

test('each alert is tested, and says in a sentence what is wrong and what to do', () => {
  const tests = read('deploy/monitoring/alerts.test.yaml')

  for (const { alert, annotations } of rules) {
    assert.match(tests, new RegExp(`alertname: ${alert}\\n +exp_alerts:\\n +- exp_labels`), alert)
    for (const sentence of Object.values(annotations)) assert.match(sentence, /[.?]$/, alert)
  }
})
