import { chmodSync, chownSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { certificateFiles } from './certificates.ts'
import { ordinaryUser } from './ordinary-user.ts'

/**
 * Settings for a server that takes only encrypted connections, with what its lines of pg_hba.conf end in. `folder` keeps
 * its files. The URL of a client needs `parameters`.
 */
export function demandTls(folder: string, methods: readonly string[] = ['all trust']) {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const { cert, key } = certificateFiles('first')
  const files = { ssl_cert_file: join(folder, 'server.crt'), ssl_key_file: join(folder, 'server.key') }
  copyFileSync(cert, files.ssl_cert_file)
  copyFileSync(key, files.ssl_key_file)
  const hba_file = join(folder, 'pg_hba.conf')
  const lines = methods.flatMap((method) => {
    const [users = '', name = ''] = method.split(' ')
    return [`hostssl all ${users} 127.0.0.1/32 ${name}`, `hostssl replication ${users} 127.0.0.1/32 ${name}`]
  })
  writeFileSync(hba_file, `${lines.join('\n')}\n`)
  const { uid, gid } = ordinaryUser
  for (const file of [...Object.values(files), hba_file]) {
    if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid)
  }
  chmodSync(files.ssl_key_file, 0o600)
  return {
    settings: { ssl: 'on', ...files, hba_file },
    parameters: `?sslmode=verify-full&sslrootcert=${files.ssl_cert_file}`,
    authority: files.ssl_cert_file,
  }
}
