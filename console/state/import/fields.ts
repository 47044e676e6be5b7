/** The fields of an animal that a file can fill. The category is given by number or by name. */
export const importFields = ['name', 'categoryName', 'categoryId', 'status'] as const
export type ImportField = (typeof importFields)[number]

/** The column of each field, as an index; undefined if the file has none. */
export type Columns = Partial<Record<ImportField, number>>
