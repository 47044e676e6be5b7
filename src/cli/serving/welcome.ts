import { styleText } from 'node:util'

export interface WelcomeFacts {
  version: string
  environment: string
  database: string
  workers: number
  /** The address of this process, without a path. */
  address: string
  /** The key that the first start created. */
  firstKey?: string | undefined
  /** Makes the code of a sign-in link. */
  signInCode?: (() => string) | undefined
  metricsUrl?: string | undefined
  /** How many were added. Undefined if nobody asked for them. */
  demoAnimals: number | undefined
}

/** The text for people after a start: the addresses, and what to type next. */
export function welcome(facts: WelcomeFacts): string {
  const { address, firstKey, signInCode } = facts
  const row = (name: string, value: string) => `  ${styleText('dim', name.padEnd(11))}${value}`
  const isInMemory = facts.database === 'sqlite::memory:'
  const processes = facts.workers === 1 ? '' : ` · ${facts.workers} workers`
  const lines = [
    '',
    `  ${styleText('bold', `Pet Store ${facts.version}`)} ${styleText('dim', `· ${facts.environment} · ${facts.database}${processes}`)}`,
    ...(isInMemory ? [`  ${styleText('yellow', 'The shop is in memory: lost when this process ends.')}`] : []),
    '',
    row('API', `${address}/v1`),
    row('Console', linkTo(`${address}/`, signInCode)),
    row('Reference', linkTo(`${address}/docs`, signInCode)),
    ...(signInCode === undefined
      ? []
      : [row('', styleText('dim', 'each link signs you in once, on this machine, within 15 minutes'))]),
    ...(facts.metricsUrl === undefined ? [] : [row('Metrics', facts.metricsUrl)]),
    ...demoHint(facts.demoAnimals),
    '',
    ...(firstKey === undefined ? keyHint(isInMemory) : [...keyOnce(firstKey, address), '']),
  ]
  return lines.join('\n')
}

// 0.0.0.0 and :: are addresses to listen on, not to open.
function linkTo(url: string, code: (() => string) | undefined): string {
  const there = url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
  return code === undefined ? there : `${there}#sign-in=${code()}`
}

function keyOnce(key: string, address: string): string[] {
  const authorization = `-H 'Authorization: Bearer ${key}'`
  const animal = '{"name":"Rex","categoryId":1,"status":"available"}'
  return [
    '  Your API key, shown only now:',
    '',
    `    ${styleText('bold', key)}`,
    '',
    '  List the animals:',
    '',
    `    curl ${authorization} ${address}/v1/pets`,
    '',
    '  Add one:',
    '',
    `    curl ${authorization} -H 'Content-Type: application/json' -d '${animal}' ${address}/v1/pets`,
  ]
}

/** No other process can make a key in memory. */
function keyHint(isInMemory: boolean): string[] {
  if (isInMemory) return []
  return [styleText('dim', '  Another API key: npm run keys -- create --name "my key"'), '']
}

function demoHint(added: number | undefined): string[] {
  if (added === undefined) return []
  return ['', added === 0 ? '  The shop has animals already: --demo added none.' : `  Added ${added} demo animals.`]
}
