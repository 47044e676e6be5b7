/** A browser, a program behind a proxy, a script and other clients. Each is of the origin of the shop: others may be refused. */
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
  const others = [
    { 'Accept-Charset': 'iso-8859-1, utf-8;q=0.7, *;q=0.3', 'Accept-Language': 'fr-FR', 'User-Agent': 'Java/21.0.4' },
    { 'Accept-Language': 'tr-TR,tr;q=0.9', 'User-Agent': 'Go-http-client/1.1', 'Accept-Encoding': 'gzip' },
    { 'Accept-Language': 'ar-EG', Accept: '*/*;q=0.8', Cookie: 'lang=ar; tz=Africa/Cairo; cart=%7B%22a%22%3A1%7D' },
    { 'Accept-Language': 'en-US,en;q=0.9', 'Sec-GPC': '1', 'Save-Data': 'on' },
    { 'Accept-Language': '', 'User-Agent': '', Cookie: '' },
  ]
  return [browser, behindProxy, script, app, ...others]
}
