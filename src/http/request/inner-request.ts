/** A request that no connection has brought by itself. */
export interface InnerRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
}
