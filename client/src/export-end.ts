/** Longer than the last line, which is ASCII. */
const maxLineBytes = 64

/**
 * The file without the last line that `Prefer: export-end` adds, which says how many bytes are before it. Throws if they
 * are not: not every runtime detects a body that was cut off.
 */
export async function* withoutEndLine(
  parts: AsyncIterable<Uint8Array>,
  cutOff: () => Error,
): AsyncGenerator<Uint8Array, void, undefined> {
  let held = new Uint8Array()
  let bytes = 0
  for await (const part of parts) {
    const all = new Uint8Array(held.length + part.length)
    all.set(held)
    all.set(part, held.length)
    const ready = Math.max(0, all.length - maxLineBytes)
    bytes += ready
    held = all.subarray(ready)
    if (ready > 0) yield all.subarray(0, ready)
  }
  const line = /\{"end":\{"bytes":(\d+)\}\}\n$/.exec(new TextDecoder().decode(held))
  const rest = held.length - (line?.[0].length ?? 0)
  if (Number(line?.[1]) !== bytes + rest) throw cutOff()
  if (rest > 0) yield held.subarray(0, rest)
}
