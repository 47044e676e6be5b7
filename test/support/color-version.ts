import type { NextFiles } from './next-version.ts'

/** What the next version could need: a new column of a large table, and an index of it. */
export const colorColumn: NextFiles = {
  sqlite: { 'color.sql': 'ALTER TABLE pets ADD COLUMN color TEXT; CREATE INDEX pets_by_color ON pets (color)' },
  postgres: {
    '1-color.sql': 'ALTER TABLE pets ADD COLUMN color text',
    '2-color-index.concurrently.sql': 'CREATE INDEX CONCURRENTLY IF NOT EXISTS pets_by_color ON pets (color, id);',
  },
  objects: [
    { kind: 'column', table: 'pets', name: 'color', definition: 'text' },
    {
      kind: 'index',
      table: 'pets',
      name: 'pets_by_color',
      definition: 'CREATE INDEX pets_by_color ON pets USING btree (color, id)',
    },
  ],
}

const schema = "Type.String({ minLength: 1, maxLength: 30, description: 'Its color.', examples: ['red', 'blue'] })"

/** A version that also uses the column: animals have an optional `color`, added as docs/adding-a-field.md says. */
export const colorMember: NextFiles = {
  ...colorColumn,
  edits: {
    'contract/pet.ts': [
      [
        '    status: Type.Optional(PetStatus),\n',
        `    status: Type.Optional(PetStatus),\n    color: Type.Optional(${schema}),\n`,
      ],
      [
        '    categoryId: Type.Optional(NewPet.properties.categoryId),\n',
        `    categoryId: Type.Optional(NewPet.properties.categoryId),\n    color: Type.Optional(${schema}),\n`,
      ],
      [
        '  return pet.status === undefined ? `${start}}` : `${start},"status":"${pet.status}"}`\n',
        '  const status = pet.status === undefined ? "" : `,"status":"${pet.status}"`\n' +
          '  const color = pet.color === undefined ? "" : `,"color":${encodeText(pet.color)}`\n' +
          '  return `${start}${status}${color}}`\n',
      ],
    ],
    'storage/shared/rows/pet-row.ts': [
      ['status: PetStatus | null]', 'status: PetStatus | null, color: string | null]'],
      ['toPet([id, name, categoryId, status]: PetRow)', 'toPet([id, name, categoryId, status, color]: PetRow)'],
      ['return asPet([id, name, categoryId, status])', 'return asPet([id, name, categoryId, status, color])'],
      ['asPet([id, name, categoryId, status]: PetRow)', 'asPet([id, name, categoryId, status, color]: PetRow)'],
      [
        'return status === null ? { id, name, categoryId } : { id, name, categoryId, status }',
        'return { id, name, categoryId, ...(status !== null && { status }), ...(color !== null && { color }) }',
      ],
      ['toNewPetRow({ name, categoryId, status }: NewPet)', 'toNewPetRow({ name, categoryId, status, color }: NewPet)'],
      ['return [name, categoryId, status ?? null]', 'return [name, categoryId, status ?? null, color ?? null]'],
    ],
    'storage/sqlite/reads/pet-json.ts': [
      [
        'iif(${status.column} IS NULL, ${withoutStatusSql}, ${withStatusSql})',
        // Without the members that are null.
        "json_patch('{}', json_object(${Object.entries(petMembers).flatMap(([name, { column }]) => [`'${name}'`, column]).join(', ')}))",
      ],
      ["const withoutStatusSql = `json_object(${required.join(', ')})`\n", ''],
      ["const withStatusSql = `json_object(${[...required, \"'status'\", status.column].join(', ')})`\n", ''],
    ],
  },
}
