/** What the plainly written peers ask of an animal, as a JSON schema. */
export const newPet = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: {
    name: { type: 'string', minLength: 1 },
    categoryId: { type: 'integer' },
    status: { type: 'string', enum: ['available', 'pending', 'sold'] },
  },
}

export interface NewPet {
  name: string
  categoryId: number
  status?: string
}
