/** How far the clock of the service is ahead of the browser's, in milliseconds. */
let aheadMs = 0

/** Takes the time of the service from a response that was just received. Clocks of computers may be days wrong. */
export function noteServiceTime(headers: Headers): void {
  const at = Date.parse(headers.get('date') ?? '')
  if (!Number.isNaN(at)) aheadMs = at - Date.now()
}

/** The time of the service in milliseconds, to about a second. */
export function serviceNow(): number {
  return Date.now() + aheadMs
}
