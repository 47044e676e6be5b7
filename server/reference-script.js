// Takes the place of src/http/pages/reference-script.js in the package: the build has read the script already, so that
// nobody installs the package it comes from, with its 30 MB.
import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'

const plain = readFileSync(new URL('./scalar/scalar.js', import.meta.url))
parentPort?.postMessage({ plain, gzipped: gzipSync(plain) })
