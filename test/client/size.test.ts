import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** Raised by what a new operation or a mended promise costs, after a look for savings. */
const maxBytes = 10_330

test('a web page that uses the client loads few bytes for it, compressed with gzip', async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../client/src/index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  })

  const bytes = gzipSync(outputFiles[0]?.contents ?? '').length

  assert.ok(bytes > 1_000 && bytes <= maxBytes, `${bytes} bytes`)
})
