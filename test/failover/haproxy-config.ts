export interface Backend {
  name: string
  port: number
  /** Where its health is asked for. */
  checkPort: number
}

export interface ProxyOptions {
  /** Where the service finds the primary. */
  databasePort: number
  databases: readonly Backend[]
  /** Where clients find the service. */
  servicePort: number
  services: readonly Backend[]
}

/** docs/high-availability.md shows this to those who run the service, with the reasons. */
export function haproxyConfig({ databasePort, databases, servicePort, services }: ProxyOptions): string {
  return `
defaults
  timeout connect 1s
  timeout check 1s

listen database
  bind 127.0.0.1:${databasePort}
  mode tcp
  timeout client 1h
  timeout server 1h
  option httpchk GET /primary
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${databases.map(server).join('\n')}

listen service
  bind 127.0.0.1:${servicePort}
  mode http
  balance roundrobin
  timeout client 60s
  timeout server 30s
  timeout queue 1s
  retries 3
  option redispatch 1
  option httpchk GET /readyz
  default-server inter 500ms fall 1 rise 1
${services.map(server).join('\n')}
`
}

function server({ name, port, checkPort }: Backend): string {
  return `  server ${name} 127.0.0.1:${port} check port ${checkPort}`
}
