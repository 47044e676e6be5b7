import { eventTypes } from '../../contract/event.ts'
import { mediaTypes, type WebhookFormat } from '../../contract/webhook-format.ts'
import { newWebhookSecret } from '../../inventory/stored-webhook.ts'
import { AddressRefused, readEndpointUrl } from '../../webhooks/addresses.ts'
import { send } from '../../webhooks/send.ts'
import { isDelivered, type SendResult } from '../../webhooks/send-result.ts'
import { onlyOnce, stopOnSignal } from '../serving/signals.ts'
import { Failure } from '../shared/failure.ts'
import { printable } from '../shared/table.ts'
import { type FeedEvent, followFeed } from './feed.ts'

export interface ListenVerbOptions {
  url: string
  key?: string
  forwardTo: string
  types?: string
  format: string
  secret?: string
}

interface Listening {
  url: URL
  key: string
  target: string
  /** Undefined: all. */
  types: ReadonlySet<string> | undefined
  format: WebhookFormat
  secret: string
}

/** It forwards to programs of this machine and its network. */
const addresses = { allowPrivate: true }
const eventNames = eventTypes.map((type) => `petstore.${type}`)
const secretBytes = { min: 24, max: 64 }

/** Forwards events until a stop signal. The exit code is 2 if an argument is wrong. */
export async function listen(options: ListenVerbOptions): Promise<void> {
  const listening = readArguments(options)
  const counts = await forwardAll(listening, options.secret === undefined)
  process.stdout.write(`Stopped. ${countSentence(counts)}\n`)
}

function readArguments(options: ListenVerbOptions): Listening {
  try {
    return {
      url: readUrl(options.url),
      key: readKey(options.key ?? process.env['PETSTORE_API_KEY']),
      target: readTarget(options.forwardTo),
      types: options.types === undefined ? undefined : readTypes(options.types),
      format: readFormat(options.format),
      secret: options.secret === undefined ? newWebhookSecret() : readSecret(options.secret),
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    process.stderr.write(`petstore: ${error.message}\n`)
    process.exit(2)
  }
}

interface Counts {
  forwarded: number
  failed: number
}

/** A signal ends it with a sentence as soon as it is connected; before that, as any process. */
async function forwardAll(listening: Listening, isNewSecret: boolean): Promise<Counts> {
  const stopping = new AbortController()
  const { signal } = stopping
  const { url, key, target, types, format, secret } = listening
  const counts: Counts = { forwarded: 0, failed: 0 }
  const notify = (sentence: string) => void process.stderr.write(`petstore: ${sentence}\n`)
  const connected = (): void => {
    stopOnSignal(onlyOnce(() => stopping.abort()))
    // Nobody reads the lines any more, as after `| head`.
    process.stdout.once('error', () => stopping.abort())
    process.stdout.write(welcome(listening, isNewSecret))
  }
  let isFailing = false
  for await (const event of followFeed({ url, key, signal, connected, notify })) {
    if (types?.has(event.type) === false) continue
    const message = { id: event.id, body: event.body }
    const result = await send(message, { url: target, format, secrets: [secret] }, { addresses, signal })
    if (signal.aborted) break
    process.stdout.write(lineOf(event, result))
    counts.forwarded += 1
    if (!isDelivered(result)) counts.failed += 1
    if (!isDelivered(result) && !isFailing) {
      notify('The receiver does not take events. The next ones are sent all the same; none is sent again.')
    }
    isFailing = !isDelivered(result)
  }
  return counts
}

function welcome({ url, target, secret }: Listening, isNewSecret: boolean): string {
  const made = isNewSecret ? `\n  Secret     ${secret}\n\n` : ''
  return `${made}The events of ${url.href} are forwarded to ${target}. Ctrl+C ends it.\n`
}

function lineOf({ type, id }: FeedEvent, { status, error, durationMs }: SendResult): string {
  const time = new Date().toTimeString().slice(0, 8)
  return `${time}  ${printable(type).padEnd(24)}  ${id}  ${status ?? error}  ${durationMs} ms\n`
}

function countSentence({ forwarded, failed }: Counts): string {
  const events = forwarded === 1 ? '1 event was' : `${forwarded} events were`
  return `${events} forwarded${failed === 0 ? '' : `, of which the receiver did not take ${failed}`}.`
}

function readUrl(text: string): URL {
  const url = URL.parse(text)
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isAddress || url.search !== '' || url.hash !== '') {
    throw new Failure('--url must be the base address of a service, such as http://127.0.0.1:8080/v1.')
  }
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = path === '' ? '/v1' : path
  return url
}

function readKey(key: string | undefined): string {
  if (key !== undefined && /^[\x21-\x7e]+$/.test(key)) return key
  throw new Failure('an API key is needed, in PETSTORE_API_KEY or with --key.')
}

function readTarget(text: string): string {
  try {
    return readEndpointUrl(text, addresses).href
  } catch (error) {
    if (error instanceof AddressRefused) throw new Failure(`--forward-to ${error.rule}.`)
    throw error
  }
}

function readTypes(text: string): ReadonlySet<string> {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !eventNames.includes(name))
  if (unknown === undefined) return new Set(names)
  throw new Failure(`--types must be some of ${eventNames.join(', ')}, got "${printable(unknown)}".`)
}

function readFormat(text: string): WebhookFormat {
  if (Object.hasOwn(mediaTypes, text)) return text as WebhookFormat
  throw new Failure(`--format must be json or cloudevents, got "${printable(text)}".`)
}

function readSecret(text: string): string {
  const bytes = Buffer.from(text.replace(/^whsec_/, ''), 'base64')
  const isExact = `whsec_${bytes.toString('base64')}` === text
  if (isExact && bytes.length >= secretBytes.min && bytes.length <= secretBytes.max) return text
  throw new Failure('--secret must be whsec_ and the base64 of 24 to 64 bytes.')
}
