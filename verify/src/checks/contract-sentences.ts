/** Sentences, cells and rows of the contract, as they stand there, that several rules rest on. */
export const says = {
  http: 'The service is a pet store inventory interface over HTTP with JSON bodies.',
  pet: 'All fields of NewPet, plus:',
  name: "name | string | yes | The animal's name.",
  categoryId: 'categoryId | integer | int64 | yes | Identifier of the category the animal belongs to.',
  uniqueId: 'Unique identifier, assigned by the service on creation.',
  statuses: 'Allowed values: `available`, `pending`, `sold`.',
  errorStatus: 'status | integer | yes | The HTTP status code.',
  mediaType: 'All requests and responses with a body use `application/json`.',
  page: '200 | Pets (array of Pet) | A page of animals.',
  limit: 'limit | integer | no | minimum 1, maximum 100, default 20 | Maximum number of animals returned.',
  everyStatus: 'When `status` is given, every returned animal has that status.',
  newPet: 'Request body (required): NewPet.',
  required: '`name` and `categoryId` are required.',
  added: '201 | Pet | Animal added; the body includes the assigned `id`.',
  invalid: '400 | Error | Body is missing required fields or contains invalid values.',
  requested: '200 | Pet | The requested animal.',
  bearer: 'Every operation requires HTTP bearer authentication.',
  header:
    'The client sends its API key as a bearer token in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
  unauthorized: 'When the key is missing or invalid, the service answers 401 with an Error body.',
  error: 'Error responses carry an Error object (section 2) with `code`, `message` and `status`.',
} as const
