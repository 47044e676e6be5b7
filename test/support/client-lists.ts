export const rex = { id: 1, name: 'Rex', categoryId: 1 }
