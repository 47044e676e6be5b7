import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { certificate, certificateFiles } from '../../test/support/certificates.ts'
import { withEnvironment } from '../columns.ts'
import type { Column } from '../dialect.ts'
import { apart } from './apart.ts'
import { listing } from './list.ts'

const { goals: _goals, ...plain } = listing
const load = { connections: 16 }
const { cert, key } = certificateFiles('first')
const environment = { PETSTORE_TLS_CERT: cert, PETSTORE_TLS_KEY: key }
const secure = new Set(['ours', 'before', 'bare', 'bare-headers', 'hono-bun'])

export const https = apart(
  {
    ...plain,
    name: 'https',
    title: 'list 20, HTTPS',
    meaning:
      `The first page of 20 over ${load.connections} connections with TLS. They stay open during a measurement; its CPU ` +
      'includes opening them.',
    load,
  },
  { variantsOf },
)

function variantsOf(column: Column): Column[] {
  if (!secure.has(column.name)) return []
  // The bench itself asks each server once.
  setDefaultCACertificates([...getCACertificates(), certificate('first').cert])
  return [{ ...withEnvironment(column, environment), isSecure: true }]
}
