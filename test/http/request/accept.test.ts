import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptsGzip, prefersEventStream, qualityOf } from '../../../src/http/request/accept.ts'

const qualities: [header: string | undefined, value: string, quality: number | undefined][] = [
  [undefined, 'gzip', undefined],
  ['', 'gzip', undefined],
  ['br', 'gzip', undefined],
  ['gzip', 'gzip', 1],
  ['GZip;Q=0.5', 'gzip', 0.5],
  ['gzip;q=0', 'gzip', 0],
  ['*;q=0.1, gzip', 'gzip', 1],
  ['gzip;q=0, *', 'gzip', 0],
  ['*', 'gzip', 1],
  ['text/*;q=0.3, text/html;q=0.7, */*;q=0.5', 'text/html', 0.7],
  ['text/*;q=0.3, text/html;q=0.7, */*;q=0.5', 'text/plain', 0.3],
  ['text/*;q=0.3, text/html;q=0.7, */*;q=0.5', 'image/png', 0.5],
  ['gzip;q = 0.5', 'gzip', 0.5],
  ['gzip;q=2', 'gzip', 0],
  ['gzip;q=x', 'gzip', 0],
  ['text/event-stream;charset=utf-8;q=0.2', 'text/event-stream', 0.2],
]
for (const [header, value, quality] of qualities) {
  test(`the header ${String(header)} gives ${value} the quality ${String(quality)}`, () => {
    assert.equal(qualityOf(header, value), quality)
  })
}

const streams: [accept: string | undefined, isStream: boolean][] = [
  ['text/event-stream', true],
  ['Text/Event-Stream', true],
  ['application/json, text/event-stream', true],
  ['text/event-stream, */*', true],
  ['text/event-stream;q=0', false],
  ['text/event-stream;q=0.5, application/json', false],
  ['*/*', false],
  ['text/*', false],
  [undefined, false],
]
for (const [accept, isStream] of streams) {
  test(`Accept: ${String(accept)} asks for ${isStream ? 'a stream' : 'a list'} of events`, () => {
    assert.equal(prefersEventStream(accept), isStream)
  })
}

const encodings: [acceptEncoding: string | undefined, isGzip: boolean][] = [
  ['gzip, deflate, br', true],
  ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
  ['*', true],
  ['gzip;q=0', false],
  ['gzip;q=0, *', false],
  ['identity', false],
  ['identity, gzip;q=0.5', false],
  [undefined, false],
]
for (const [acceptEncoding, isGzip] of encodings) {
  test(`Accept-Encoding: ${String(acceptEncoding)} gets ${isGzip ? 'a gzip' : 'an uncompressed'} response`, () => {
    assert.equal(acceptsGzip(acceptEncoding), isGzip)
  })
}
