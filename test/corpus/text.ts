import { type Recording, usualLines, usualRequestLines } from './record.ts'

/** A recording as a file for people: each request with its response. */
export function describe(recording: Recording): string {
  const seen = new Map<string, string>()
  const parts = [
    'Every request with its response. `npm run make -- corpus` records this file.\n' +
      `Requests also have: ${usualRequestLines.join(', ')}.\nResponses also have: ${usualLines.join(', ')}.\n`,
  ]
  for (const [name, { request, response }] of recording) {
    const text = response.join('\n')
    const earlier = seen.get(text)
    if (earlier === undefined) seen.set(text, name)
    const shown = earlier === undefined ? text : `as ${earlier}`
    parts.push(`## ${name}\n${request.map((line) => `> ${line}`).join('\n')}\n${shown}\n`)
  }
  return parts.join('\n')
}

/** A recording as a file for people: what differs from another one, and for which requests. */
export function describeDifferences(recording: Recording, plain: Recording): string {
  const groups = new Map<string, string[]>()
  for (const [name, { response }] of recording) {
    const difference = differenceOf(plain.get(name)?.response ?? [], response).join('\n')
    if (difference !== '') groups.set(difference, [...(groups.get(difference) ?? []), name])
  }
  const same = recording.size - [...groups.values()].flat().length
  const parts = [
    `${recording.size} requests of plain.txt were sent. ${same} got the same response. ` +
      'Each part shows how others differ: lines that are gone and lines that are new, or a whole response.\n',
    ...[...groups].map(([difference, names]) => `${headingsOf(names)}\n${difference}\n`),
  ]
  return parts.join('\n')
}

/** One line for each operation. */
function headingsOf(names: readonly string[]): string {
  const grouped = Map.groupBy(names, (name) => name.split(': ', 1)[0] as string)
  return [...grouped]
    .map(
      ([first, all]) =>
        `## ${first}${all
          .map((name) => name.slice(first.length))
          .join('')
          .replace(/(?<=.): /g, ', ')}`,
    )
    .join('\n')
}

/** Responses with different states are not compared line by line. */
function differenceOf(plain: readonly string[], other: readonly string[]): string[] {
  if (plain[0] !== other[0]) return [...other]
  return [
    ...plain.filter((line) => !other.includes(line)).map((line) => `- ${line}`),
    ...other.filter((line) => !plain.includes(line)).map((line) => `+ ${line}`),
  ]
}
