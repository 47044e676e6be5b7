// Pieces of SQL that several writes are made of. Each names the rows that it works on.

/** The wire form of the animal in `row`, byte for byte what encodePet makes. */
export function petJson(row: string): string {
  return (
    `'{"id":' || ${row}.id || ',"name":' || to_json(${row}.name)::text || ',"categoryId":' || ${row}.category_id || ` +
    `coalesce(',"status":"' || ${row}.status || '"', '') || '}'`
  )
}

/** The wire form of the order in `row`, byte for byte what encodeOrder makes. */
export function orderJson(row: string): string {
  const time = (at: string) =>
    `to_char(timestamp 'epoch' + ${row}.${at} * interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return (
    `'{"id":' || ${row}.id || ',"petId":' || ${row}.pet_id || ',"status":"' || ${row}.status || ` +
    `'","placedAt":"' || ${time('placed_at')} || '","updatedAt":"' || ${time('updated_at')} || '"}'`
  )
}

/** Moves animals between counters: `moves` is a query for category_id, status and by how many each counter changes. */
export function countMoves(moves: string): string {
  return `
    INSERT INTO pet_counts (category_id, status, animals)
      SELECT category_id, coalesce(status, '') AS status, sum(animals) AS animals FROM (${moves}) AS moves
        GROUP BY 1, 2 HAVING sum(animals) <> 0
      ON CONFLICT (category_id, status) DO UPDATE SET animals = pet_counts.animals + excluded.animals`
}
