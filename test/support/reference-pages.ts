export const production = 'https://api.petstore.example/v1'
export const staging = 'https://staging.petstore.example/v1'
