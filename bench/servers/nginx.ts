import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getuid } from 'node:process'

/** Where nginx is, if it is anywhere. Debian keeps it out of the path of users. */
export function findNginx(): string | undefined {
  if (existsSync('/usr/sbin/nginx')) return '/usr/sbin/nginx'
  return spawnSync('nginx', ['-v']).status === 0 ? 'nginx' : undefined
}

/** Writes a configuration for one worker that serves the files in `bytes`, and returns its path. */
export function configureNginx(folder: string, bytes: string, port: number): string {
  const path = join(folder, 'nginx.conf')
  mkdirSync(join(folder, 'tmp'), { recursive: true })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  writeFileSync(
    path,
    `daemon off;
worker_processes 1;
pid ${join(folder, 'nginx.pid')};
error_log ${join(folder, 'nginx.log')};
${getuid?.() === 0 ? 'user root;' : ''} # A worker that gives up root's rights could not enter the temporary folder.
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  keepalive_requests 1000000000;
  open_file_cache max=100;
  default_type application/json;
  ${temporary.map((name) => `${name}_temp_path ${join(folder, 'tmp', name)};`).join(' ')}
  server { listen 127.0.0.1:${port}; root ${bytes}; }
}
`,
  )
  return path
}
