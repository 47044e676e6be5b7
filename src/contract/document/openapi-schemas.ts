/** Replaces named schemas by references. The name itself is not written. */
export function withReferences(value: unknown, top = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item))
  if (typeof value !== 'object' || value === null) return value
  if (!top && '$id' in value) return { $ref: `#/components/schemas/${String(value.$id)}` }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (unwritten.has(key) ? [] : [[key, withReferences(item)]])),
  )
}

/**
 * Keywords that are not written: the name of a schema (its key in the document), a pattern in words, and the use of a
 * shared schema.
 */
const unwritten = new Set(['$id', 'x-form', 'x-use'])

/** All named schemas in a value, at any depth. */
export function namedSchemas(value: unknown, found = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return found
  if ('$id' in value) found.set(String(value.$id), value)
  for (const item of Object.values(value)) namedSchemas(item, found)
  return found
}
