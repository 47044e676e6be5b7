import { type Answer, readAnswers, type TestApp } from './app.ts'

export const rex = '{"name":"Rex","categoryId":1}'

export const json = { 'content-type': 'application/json' }

export async function postRaw(
  { sendRaw, key }: TestApp,
  headers: readonly string[],
  body: string | Buffer,
  host = 'localhost',
  type = 'Content-Type: application/json\r\n',
): Promise<Answer[]> {
  const head = [`Host: ${host}`, 'Connection: close', `Authorization: Bearer ${key}`, ...headers].join('\r\n')
  return readAnswers(
    await sendRaw(Buffer.concat([Buffer.from(`POST /v1/pets HTTP/1.1\r\n${type}${head}\r\n\r\n`), Buffer.from(body)])),
  )
}
