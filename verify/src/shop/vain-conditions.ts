/** Headers whose condition holds for every response: it is sent as without them. */
export const vainConditions: Record<string, string> = {
  'If-None-Match': '"verify-no-such-tag"',
  'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:01 GMT',
}
