// As much of Express as express-postgres.ts uses: it comes without types.
declare module 'express' {
  interface Request {
    headers: Record<string, string | undefined>
    params: Record<string, string>
    query: Record<string, string | undefined>
    body: unknown
  }
  interface Response {
    status(code: number): Response
    json(body: unknown): Response
  }
  type Handler = (request: Request, response: Response, next: () => void) => unknown
  interface App {
    use(...handlers: Handler[]): void
    get(path: string, handler: Handler): void
    post(path: string, handler: Handler): void
    listen(port: number, host: string): void
  }
  function express(): App
  namespace express {
    function json(): Handler
  }
  export = express
}
