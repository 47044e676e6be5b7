import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/engines.ts'
import { argumentOf, deployed, execForm, graceful, missing, read, runProgram } from './files.ts'

const chart = 'deploy/helm/petstore'
const skip = missing('helm', 'helm, 3.14 or newer', 'version')
const values = parse(read(`${chart}/values.yaml`)) as Record<string, unknown>
const template = read(`${chart}/templates/deployment.yaml`)

interface Schema {
  type?: string
  additionalProperties?: unknown
  properties?: Record<string, Schema>
}

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Record<string, string> }
  spec?: Record<string, any>
}

test('the chart is of this version of the service', () => {
  const { appVersion, version } = parse(read(`${chart}/Chart.yaml`)) as Record<string, string>

  assert.equal(appVersion, packageJson.version)
  assert.match(version ?? '', /^[0-9]+\.[0-9]+\.[0-9]+$/)
})

test('the schema of the values has every value, and refuses any other', () => {
  function compare(schema: Schema, value: unknown, path: string): void {
    if (schema.properties === undefined) return
    assert.equal(schema.additionalProperties, false, `${path} takes anything`)
    if (path === '.settings') return assert.deepEqual(value, {})
    const { global: _global, ...properties } = schema.properties
    assert.deepEqual(Object.keys(properties).toSorted(), Object.keys(value as object).toSorted(), path)
    for (const [name, part] of Object.entries(properties)) {
      compare(part, (value as Record<string, unknown>)[name], `${path}.${name}`)
    }
  }
  compare(JSON.parse(read(`${chart}/values.schema.json`)) as Schema, values, '')
})

test('every value that a template reads is in values.yaml', () => {
  for (const path of deployed.filter((each) => each.startsWith(`${chart}/templates/`))) {
    for (const [, name = ''] of read(path).matchAll(/\.Values\.([\w.]+)/g)) {
      if (name.startsWith('settings.')) continue
      let value: unknown = values
      for (const part of name.split('.')) value = (value as Record<string, unknown> | undefined)?.[part]
      assert.notEqual(value, undefined, `${path} reads ${name}`)
    }
  }
})

test('the service returns 200 on every path that the chart uses, and on the metrics port', async (t) => {
  const service = await startService(t, { env: { PETSTORE_METRICS_ADDRESS: '127.0.0.1:0' } })
  const paths = [...template.matchAll(/^ +path: (\S+)$/gm)].map(([, path]) => path as string)
  const metrics = /Metrics +(http:\S+)/.exec(service.output.stdout)?.[1] ?? ''

  assert.deepEqual(paths, ['/livez', '/livez', '/readyz'])
  for (const path of paths) assert.equal((await fetch(`${service.origin}${path}`)).status, 200)
  assert.equal(new URL(metrics).pathname, /path: (\S+)/.exec(read(`${chart}/templates/servicemonitor.yaml`))?.[1])
  assert.equal((await fetch(metrics)).status, 200)
})

/** A path below a prefix that has no page of its own. */
const below: Record<string, string> = { '/v1': '/v1/pets', '/console': '/console/key' }

test('the ingress leads to paths that the service knows, those of the console too', async (t) => {
  const service = await startService(t)
  const [, list = ''] = /range list (.*) \}\}/.exec(read(`${chart}/templates/ingress.yaml`)) ?? []

  const paths = list.split(' ').map((each) => JSON.parse(each) as string)
  for (const path of paths) {
    const headers = { authorization: `Bearer ${service.key}` }
    const answer = await fetch(`${service.origin}${below[path] ?? path}`, { headers })
    assert.equal(answer.status, 200, path)
  }
  const page = await (await fetch(service.origin)).text()
  const files = [...page.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(([, file = '']) => `/${file}`)
  assert.ok(files.length > 0)
  const isServed = (file: string) => paths.some((path) => path !== '/' && file.startsWith(path))
  assert.deepEqual(
    files.filter((file) => !isServed(file)),
    [],
  )
})

test('the pods run as the user of the image, and the test runs its health check', () => {
  const [user, group] = argumentOf('USER').split(':')
  const helpers = read(`${chart}/templates/_helpers.tpl`)
  const check = execForm(/CMD (.*)$/.exec(argumentOf('HEALTHCHECK'))?.[1] ?? '')

  assert.match(helpers, new RegExp(`runAsUser: ${user}\nrunAsGroup: ${group}\n`))
  assert.ok(read(`${chart}/templates/tests/ready.yaml`).includes(`command: [${check.join(', ')}]`))
  assert.ok(template.includes(`mountPath: ${argumentOf('VOLUME')}\n              readOnly: true`))
})

test('a pod has enough time to stop', () => {
  const { preStopSeconds, terminationGracePeriodSeconds } = values as Record<string, number>

  assert.ok((terminationGracePeriodSeconds as number) >= (preStopSeconds as number) + graceful + 2)
  assert.ok(template.includes(`(add (int .Values.preStopSeconds) ${graceful + 2})`))
})

test('helm lint passes', { skip }, () => {
  const { status, output } = runProgram('helm', 'lint', '--strict', chart, '--set', 'existingSecret=pets')

  assert.equal(status, 0, output)
})

test('with a Secret alone the chart renders everything, and all pods are confined', { skip }, (t) => {
  const manifests = render(t, { existingSecret: 'pets' })

  const kinds =
    'NetworkPolicy PodDisruptionBudget ServiceAccount Service Service Deployment HorizontalPodAutoscaler Pod'
  assert.deepEqual(
    manifests.map(({ kind }) => kind),
    kinds.split(' '),
  )
  const deployment = manifests.find(({ kind }) => kind === 'Deployment') as Manifest
  const testPod = manifests.find(({ kind }) => kind === 'Pod') as Manifest
  for (const pod of [deployment.spec?.['template'].spec, testPod.spec]) {
    assert.equal(pod.automountServiceAccountToken, false)
    assert.equal(pod.enableServiceLinks, false)
    assert.equal(pod.securityContext.runAsNonRoot, true)
    assert.deepEqual(pod.securityContext.seccompProfile, { type: 'RuntimeDefault' })
    assert.deepEqual(pod.containers[0].securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  }
})

test('the Services, the budget and the policy select the instances, and never the pod of the test', { skip }, (t) => {
  const manifests = render(t, { existingSecret: 'pets' })
  const first = (kind: string) => manifests.find((each) => each.kind === kind)
  const pod = first('Deployment')?.spec?.['template'].metadata.labels as Record<string, string>
  const testPod = first('Pod')?.metadata.labels as Record<string, string>

  const selectors = manifests.flatMap(({ spec, kind }) => {
    if (kind === 'Service') return [spec?.['selector']]
    return [spec?.['selector']?.matchLabels ?? spec?.['podSelector']?.matchLabels ?? []].flat()
  }) as Record<string, string>[]

  assert.equal(selectors.length, 5)
  const matches = (selector: Record<string, string>, labels: Record<string, string>) =>
    Object.entries(selector).every(([name, value]) => labels[name] === value)
  assert.ok(selectors.every((selector) => matches(selector, pod) && !matches(selector, testPod)))
})

test('a long release name is truncated to valid Kubernetes names', { skip }, (t) => {
  for (const { metadata } of render(t, { existingSecret: 'pets' }, 'a'.repeat(53))) {
    assert.match(metadata.name, /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
  }
})

const refused: [values: object, because: RegExp][] = [
  [{}, /existingSecret must name a Secret/],
  [{ existingSecret: 'pets', settings: { PETSTORE_BASEURL: 'x' } }, /PETSTORE_BASEURL/],
  [{ existingSecret: 'pets', settings: { PETSTORE_RATE_LIMIT: 600 } }, /PETSTORE_RATE_LIMIT/],
  [{ existingSecret: 'pets', replicas: 3 }, /replicas/],
  [{ existingSecret: 'pets', terminationGracePeriodSeconds: 16 }, /at least preStopSeconds \+ 12/],
  [{ existingSecret: 'pets', ingress: { enabled: true } }, /ingress\.host must be set/],
  [
    { existingSecret: 'pets', metrics: { enabled: false, serviceMonitor: { enabled: true } } },
    /needs metrics\.enabled/,
  ],
]
for (const [given, because] of refused) {
  test(`the chart refuses ${JSON.stringify(given)}`, { skip }, (t) => {
    const { status, output } = helmTemplate(t, given)

    assert.notEqual(status, 0)
    assert.match(output, because)
  })
}

function helmTemplate(t: TestContext, given: object, release = 'release') {
  const path = join(temporaryFolder(t), 'values.json')
  writeFileSync(path, JSON.stringify(given))
  return runProgram('helm', 'template', release, chart, '--kube-version', '1.34.0', '--values', path)
}

function render(t: TestContext, given: object, release?: string): Manifest[] {
  const { status, output } = helmTemplate(t, given, release)
  assert.equal(status, 0, output)
  return parseAllDocuments(output).flatMap((document) => {
    assert.deepEqual(document.errors, [])
    return (document.toJS() as Manifest | null) ?? []
  })
}
