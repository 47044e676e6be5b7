/** The wire form of the animal in `row`, byte for byte what encodePet makes. */
export function petJson(row: string): string {
  return (
    `'{"id":' || ${row}.id || ',"name":' || to_json(${row}.name)::text || ',"categoryId":' || ${row}.category_id || ` +
    `coalesce(',"status":"' || ${row}.status || '"', '') || '}'`
  )
}
