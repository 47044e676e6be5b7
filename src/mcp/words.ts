/**
 * What an agent reads. The descriptions of operations speak of headers, links and statuses, which an agent does not see:
 * these replace them. A test demands one for every tool whose own description does so.
 */

const paging =
  'If the result has `nextCursor`, there are more: call again with the same arguments and `cursor`, until it is absent.'
const search = 'With `name` a page may be short or empty and yet have a `nextCursor`.'

/** By the id of the operation. */
export const toolWords: Readonly<Record<string, string>> = {
  listPets:
    'Finds animals: all, or those with a status, in a category, with words in their name, or the one with an `id`. ' +
    `Ascending by id unless \`sort\` says otherwise. ${paging} ${search} To count animals, use getInventory.`,
  createPet:
    'Adds an animal. To name its category, find the id with listCategories first. If you do not know whether a call ' +
    'succeeded, repeat it with the same `idempotencyKey`: nothing is added twice.',
  updatePet:
    'Changes the members that you give and leaves the others as they are; `status: null` removes the status. With ' +
    '`ifMatch` the change is made only if nobody has changed the animal since you read it. While an animal has an open ' +
    'order, only that order changes its status: use updateOrder.',
  deletePet: 'Removes an animal for good; its id is never used again. An animal with an open order cannot be removed.',
  listImports: `Returns what was added from files, the newest first, with how many animals and by whom. ${paging}`,
  listOrders: `Finds orders, by status, animal, name of the animal or customer, ascending by id unless \`sort\` says otherwise. ${paging}`,
  getOrder: 'Returns one order, with its `etag`.',
  placeOrder:
    'Orders an available animal for a customer; the animal becomes pending. Only one of several callers gets the animal. ' +
    'If you do not know whether a call succeeded, repeat it with the same `idempotencyKey`.',
  updateOrder:
    'Completes, cancels or changes an order. `status: completed` makes the animal sold, `cancelled` makes it available ' +
    'again; an order is closed once. `customer` and `note` can be changed at any time; null removes them.',
  getInventory:
    'Counts the animals: all, by status, and in the largest categories, at one moment. With `sort: id`, in all categories ' +
    'that have a name or animals; with `name`, in the categories with these words in their name; both ascending by id. ' +
    `\`others\` are the animals of all other categories. ${paging} ${search}`,
  listDays:
    'Counts for each day of a range, in UTC: animals added and removed, orders placed, completed and cancelled. Without ' +
    '`from` and `to`, the last 30 days.',
  listCategories: `Finds categories that have a name, ascending by id. ${paging} ${search}`,
  createCategory: 'Names a new category; the service chooses its id.',
  getCategory: 'Returns one category, with its `etag`.',
  putCategory:
    'Gives a category its name, or another one. Any integer is a category, and an animal may have one without a name.',
  listEvents:
    'Returns what happened in the shop, in order and without gaps, with who did it: all changes, or those of an animal ' +
    '(`petId`, its history), an order, a kind, a key or a time. Starts with the oldest that is kept; `sort: -id` starts ' +
    'with the newest. To go on, call again with the same arguments and `after` set to `nextAfter`. With `hasMore` there ' +
    'are more now, even if this page is short or empty.',
}

/** By the name of the argument, for those that mean something else here than in an HTTP request. */
export const argumentWords: Readonly<Record<string, string>> = {
  id: 'Returns only the animal with this id, and its `etag`.',
  importId: 'Returns only animals that this import has added: `id` of listImports. Then without `sort`.',
  cursor: '`nextCursor` of the result before, with the same other arguments.',
  after: '`nextAfter` of the result before; 0 for all events that are kept.',
  idempotencyKey:
    'A new random text, such as a UUID, for each thing to add. Repeat it only to repeat a call whose result you did not get.',
  ifMatch: 'The `etag` of what you read: if it was changed since, nothing is done and you get `precondition_failed`.',
}

/** What errors call by the names of HTTP. */
const errorWords = {
  'Idempotency-Key': 'idempotencyKey',
  'If-Match': 'ifMatch',
  'as in ETag': 'as in `etag`',
  'the Link header of a page': '`nextCursor` of a result',
} as const

/** The message of an error, for an agent. */
export function inWordsOfTools(message: string): string {
  return Object.entries(errorWords).reduce((text, [http, tool]) => text.replace(http, tool), message)
}

export const instructions = `This is the inventory of a pet store: animals, orders, categories, and the events of all changes.
- An animal has an id, a name, a categoryId and a status: available, pending or sold, or none.
- To sell an animal: placeOrder (it becomes pending), then updateOrder with status completed (it becomes sold).
- Ids are integers of 64 bits. Copy them digit by digit.
- Results have their content in \`data\`. Lists have at most 100 entries; \`nextCursor\` leads on.
- An error has \`code\`, \`message\` and \`status\`; its message says what to change. After \`unavailable\` wait and repeat the call.`
