/** A browser, a program behind a proxy and a script. Each is of the origin of the shop: others may be refused. */
export function clientHeaders({ origin, host, protocol }: URL): Record<string, string>[] {
  const browser = {
    Accept: '*/*',
    'Accept-Encoding': 'gzip, deflate, br',
    'Accept-Language': 'de-CH,de;q=0.9,fr;q=0.8',
    'Cache-Control': 'no-cache',
    Pragma: 'no-cache',
    DNT: '1',
    Origin: origin,
    Referer: `${origin}/`,
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  }
  const behindProxy = {
    'Accept-Language': 'ja',
    'User-Agent': 'curl/8.14.1',
    Via: '1.1 proxy.test',
    'X-Forwarded-For': '203.0.113.7, 198.51.100.2',
    'X-Forwarded-Host': host,
    'X-Forwarded-Proto': protocol.slice(0, -1),
    'X-Real-IP': '203.0.113.7',
  }
  const script = {
    Accept: 'application/json, text/plain, */*',
    'Accept-Encoding': 'gzip',
    'Accept-Language': '*',
    'Cache-Control': 'max-age=0',
    'User-Agent': 'python-requests/2.32.4',
    'X-Requested-With': 'XMLHttpRequest',
  }
  const app = {
    Accept: 'application/json',
    Cookie: '_ga=GA1.1.1; theme=dark',
    'Sec-Fetch-Mode': 'cors',
    'Sec-Fetch-Site': 'same-origin',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    'User-Agent': 'okhttp/5.3.0',
    'X-Request-ID': '7b2f1c9e-petstore-app',
  }
  return [browser, behindProxy, script, app]
}
