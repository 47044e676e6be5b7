import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Certificate } from '../../src/http/server/certificate.ts'

/** Certificates for localhost, 127.0.0.1 and shop.example, signed by themselves, valid for 100 years. */
export type CertificateName = 'first' | 'second' | 'rsa'

export function certificateFiles(name: CertificateName): { cert: string; key: string } {
  const path = (ending: string) => fileURLToPath(new URL(`./certificates/${name}.${ending}`, import.meta.url))
  return { cert: path('crt'), key: path('key') }
}

export function certificate(name: CertificateName): Certificate {
  const { cert, key } = certificateFiles(name)
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
}
