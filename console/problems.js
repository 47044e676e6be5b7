/** A problem in words for the person at the screen: what happened, what is safe, what to do. */
export function explain({ code, message, retryAfter, requestId }) {
  switch (code) {
    case 'offline':
      return 'The service cannot be reached right now. What you typed is kept: try again in a moment.'
    case 'unavailable':
      return 'The service is busy or restarting. What you typed is kept: try again in a moment.'
    case 'rate_limited':
      return `That was a lot at once: the service asks for a pause${pause(retryAfter)}. What you typed is kept.`
    case 'unauthorized':
      return 'This key is not accepted. It may have been revoked, or it has expired.'
    case 'forbidden':
      return 'This key may look at everything but change nothing.'
    case 'internal':
      return `The service could not do this, and it is not your fault. What you typed is kept. (${requestId ?? 'no number'})`
    default:
      return message
  }
}

function pause(seconds) {
  if (seconds === undefined) return ''
  return seconds === 1 ? ' of a second' : ` of ${seconds} seconds`
}

/** The service's sentences about a body, sorted by the field that each is about; the others under `form`. */
export function faultsByField({ code, message }, fields) {
  if (code !== 'invalid_body') return {}
  const starts = new RegExp(`(?:^|(?<=[.] ))(?=(?:${fields.join('|')}) (?:must|is missing))`)
  const faults = {}
  for (const sentence of message.split(starts)) {
    const field = fields.find((name) => sentence.startsWith(`${name} `)) ?? 'form'
    faults[field] = sentence.trim()
  }
  return faults
}
