import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** A `.tar.gz` whose bytes depend on nothing but the names, modes and contents of a folder's files. Needs GNU tar. */
export function archiveFolder(file: string, parent: string, folder: string): Promise<void> {
  const fixed = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go=rX']
  return gzipOutput(file, 'tar', ['--create', '--format=gnu', ...fixed, `--directory=${parent}`, folder])
}

/** A `.tar.gz` of these paths of a commit. */
export function archiveCommit(file: string, repository: string, paths: readonly string[]): Promise<void> {
  const args = ['-C', repository, '-c', 'tar.umask=0022', 'archive', '--format=tar', 'HEAD', '--', ...paths]
  return gzipOutput(file, 'git', args)
}

// Not by the gzip of the machine: another one packs the same text into other bytes.
async function gzipOutput(file: string, command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  await pipeline(child.stdout, createGzip({ level: 9 }), createWriteStream(file))
  const [code] = await closed
  if (code !== 0) throw new Error(`${command} ended with ${code}.`)
}
