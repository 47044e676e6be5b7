import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Connection, DatabaseError, Query } from 'pg'
import { Pipeline } from '../../src/storage/postgres/connection/pipeline.ts'

// The parts of the driver that are not in its documentation: what breaks in the service when they change.

interface DriverQuery {
  _results: { rows: unknown[] } | { rows: unknown[] }[]
  _canceledDueToError: Error | false
  handleRowDescription(message: { fields: object[] }): void
  handleDataRow(message: { fields: string[] }): void
  handleCommandComplete(message: { text: string }): void
}

const NewQuery = Query as unknown as new (config: object, callback: () => void) => DriverQuery
const column = { name: 'a', dataTypeID: 25, format: 'text' }

function queryWith(config = {}): DriverQuery {
  const query = new NewQuery({ text: 'two statements', rowMode: 'array', ...config }, () => undefined)
  query.handleRowDescription({ fields: [column] })
  return query
}

function resultsOf({ _results: results }: DriverQuery) {
  return [results].flat()
}

function failureOf({ _canceledDueToError: failure }: DriverQuery) {
  return failure
}

function openConnection(): { connection: Connection; sent: () => string } {
  let sent = ''
  const stream = new Writable({
    write(bytes: Buffer, _encoding, done) {
      sent += bytes.toString('latin1')
      done()
    },
  })
  const connection = new (Connection as unknown as new (config: object) => Connection)({ stream })
  return {
    connection,
    /** What was sent since the last call: the types of messages, which are capital letters, and those of their texts. */
    sent() {
      const letters = sent.replace(/[^A-Z]/g, '')
      sent = ''
      return letters
    },
  }
}

test('_results of a query has the results so far; otherwise a write is decided without its facts', () => {
  const query = queryWith()
  query.handleDataRow({ fields: ['first'] })
  query.handleCommandComplete({ text: 'SELECT 1' })
  assert.deepEqual(resultsOf(query)[0]?.rows, [['first']])

  query.handleRowDescription({ fields: [column] })
  query.handleDataRow({ fields: ['second'] })
  query.handleCommandComplete({ text: 'SELECT 1' })

  assert.deepEqual(
    resultsOf(query).map(({ rows }) => rows),
    [[['first']], [['second']]],
  )
})

test('_canceledDueToError of a query has the error of an unreadable row; otherwise a write is decided without it', () => {
  const unreadable = new Error('unreadable')
  const types = {
    getTypeParser: () => () => {
      throw unreadable
    },
  }
  const query = queryWith({ types })
  assert.equal(failureOf(query), false)

  query.handleDataRow({ fields: ['first'] })

  assert.equal(failureOf(query), unreadable)
})

test('parsedStatements of a connection names its prepared statements; otherwise each is parsed at every use', () => {
  const { connection, sent } = openConnection()
  const statement = { name: 'find', text: 'SELECT 1' }
  const submit = () => {
    const pipeline = new Pipeline([[statement]], undefined, () => undefined)
    pipeline.submit(connection)
    return pipeline
  }

  submit().handleCommandComplete({ text: 'SELECT 1' }, connection)

  // Close (a Statement), Parse (the text), Bind, Describe (the Portal), Execute, Sync.
  assert.equal(sent(), 'CSPSELECTBDPES')
  assert.deepEqual((connection as unknown as { parsedStatements: object }).parsedStatements, { find: 'SELECT 1' })
  submit()
  assert.equal(sent(), 'BDPES')
})

test('a connection sends Flush without Sync; otherwise the second half of a write runs outside its transaction', () => {
  const { connection, sent } = openConnection()
  const pipeline = new Pipeline(
    [[{ text: 'begin' }]],
    () => [[{ text: 'commit' }]],
    () => undefined,
  )

  pipeline.submit(connection)

  assert.equal(sent(), 'PBDPEH')
  pipeline.handleCommandComplete({ text: 'BEGIN' }, connection)
  assert.equal(sent(), 'PBDPES')
})

test('an error of the database is a DatabaseError, after which a pipeline sends its Sync; otherwise the server waits', () => {
  const { connection, sent } = openConnection()
  const pipeline = new Pipeline(
    [[{ text: 'begin' }]],
    () => [],
    () => undefined,
  )
  pipeline.submit(connection)
  sent()

  pipeline.handleError(new DatabaseError('no', 2, 'error'), connection)

  assert.equal(sent(), 'S')
})

test('only pipeline.ts uses parts of the driver that are not documented', () => {
  const folder = fileURLToPath(new URL('../../src', import.meta.url))
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) =>
    /_results|_canceledDueToError|parsedStatements/.test(readFileSync(join(folder, file), 'utf8')),
  )

  assert.deepEqual(files, [join('storage', 'postgres', 'connection', 'pipeline.ts')])
})
