import { says } from '../contract.ts'
import { rightIn, wrongIn } from '../shop.ts'

const wrong = wrongIn('php')
const right = rightIn('php')
const written = '    echo json_encode($body, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);\n'
const listed = '    answer(200, $pets);\n'
const loaded = '    $pets = (new Store(LOCK_SH))->load();\n'
const id = "'id' => 10 * (count($pets) + 1)]"
const fields = "    $pet = ['name' => $given->name, 'categoryId' => $given->categoryId];\n"
const sent = "    header('Content-Type: application/json');\n"

export const secondWrongPhp = [
  wrong('keys', 'percent escapes in a key are decoded', says.unauthorized, [
    "hash_equals(getenv('SHOP_KEY'), $parts[1])",
    "hash_equals(getenv('SHOP_KEY'), rawurldecode($parts[1]))",
  ]),
  wrong('names', 'names of digits are numbers', says.name, [
    written,
    written.replace('JSON_UNESCAPED_UNICODE', 'JSON_NUMERIC_CHECK'),
  ]),
  wrong('names', 'backslashes in names are lost in lists', says.name, [
    listed,
    "    $pets = array_map(fn ($pet) => ['name' => stripslashes($pet['name'])] + $pet, $pets);\n" + listed,
  ]),
  wrong('names', 'a plus in a name is a blank', says.name, [
    fields,
    fields.replace('$given->name', "strtr($given->name, '+', ' ')"),
  ]),
  wrong('creates', 'ids have two digits', says.id, [id, "'id' => (count($pets) + 1) % 100]"]),
  wrong('creates', 'every fiftieth animal is stored with the category 0', says.pet, [
    '    $pets[] = $pet;\n',
    "    $pets[] = count($pets) % 50 === 49 ? ['categoryId' => 0] + $pet : $pet;\n",
  ]),
  wrong('lists', 'a status filter looks at the first 64 animals', says.statusFilter, [
    "    if (isset($_GET['status'])) {\n",
    "    if (isset($_GET['status'])) {\n        $pets = array_slice($pets, 0, 64);\n",
  ]),
  wrong('lists', 'members of a list with a status are in snake case', says.pet, [
    listed,
    "    if (isset($_GET['status'])) {\n        $pets = array_map(fn ($pet) => ['category_id' => $pet['categoryId']] + array_diff_key($pet, ['categoryId' => 0]), $pets);\n    }\n" +
      listed,
  ]),
  wrong('lists', 'animals without a status are in no list', says.listPurpose, [
    loaded,
    loaded + "    $pets = array_values(array_filter($pets, fn ($pet) => isset($pet['status'])));\n",
  ]),
  wrong('media types', 'an empty list is text/html', says.mediaType, [
    sent,
    sent.replace(
      "json');",
      "json');\n    if ($body === []) {\n        header('Content-Type: text/html; charset=UTF-8');\n    }",
    ),
  ]),
  wrong('media types', 'the 201 is application/json-patch+json', says.mediaType, [
    sent,
    "    header('Content-Type: application/json' . ($status === 201 ? '-patch+json' : ''));\n",
  ]),
  wrong('status lines', 'a name with an apostrophe is 500', says.created, [
    fields,
    "    if (str_contains($given->name, \"'\")) {\n        throw new Refusal(500, 'SQL', 'You have an error in your SQL syntax.');\n    }\n" +
      fields,
  ]),
]

export const secondRightPhp = [
  right('a list of animals with a status is ordered by category', [
    "        $pets = array_filter($pets, fn ($pet) => ($pet['status'] ?? null) === $_GET['status']);\n",
    "        $pets = array_filter($pets, fn ($pet) => ($pet['status'] ?? null) === $_GET['status']);\n        usort($pets, fn ($one, $other) => $one['categoryId'] <=> $other['categoryId']);\n",
  ]),
]
