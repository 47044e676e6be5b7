// As much of Bun as hono-bun.ts uses: its own types would take the place of Node's in the whole folder.
declare module 'bun:sqlite' {
  interface Statement {
    all(...values: (string | number | null)[]): unknown[]
    get(...values: (string | number | null)[]): unknown
    run(...values: (string | number | null)[]): { lastInsertRowid: number | bigint }
  }
  export class Database {
    constructor(path: string)
    exec(sql: string): void
    query(sql: string): Statement
  }
}

declare const Bun: {
  serve(options: {
    hostname: string
    port: number
    fetch: (request: Request) => Response | Promise<Response>
    tls?: { cert: unknown; key: unknown }
  }): void
  file(path: string): unknown
  CryptoHasher: new (algorithm: 'sha256') => { update(text: string): { digest(encoding: 'hex'): string } }
}
