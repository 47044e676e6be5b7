import { says } from '../contract.ts'
import { rightIn, wrongIn } from '../shop.ts'

const wrong = wrongIn('php')
const right = rightIn('php')
const refused = '    answer($refusal->status, [\n'
const message = "        'message' => $refusal->getMessage(),\n"
const fields = "    $pet = ['name' => $given->name, 'categoryId' => $given->categoryId];\n"
const loaded = '    $pets = (new Store(LOCK_SH))->load();\n'
const sliced = '    $pets = array_slice(array_values($pets), 0, $limit);\n'
const listed = '    answer(200, $pets);\n'
const sent = "    header('Content-Type: application/json');\n"

export const thirdWrongPhp = [
  wrong('status lines', 'a refused create is a redirect for who does not ask for JSON', says.refused, [
    refused,
    `    if ($refusal->status === 400 && !str_contains($_SERVER['HTTP_ACCEPT'] ?? '', 'json')) {\n        header('Location: /');\n        answer(302, ['message' => 'Redirecting to /']);\n    }\n${refused}`,
  ]),
  wrong('status lines', 'an animal with a name that is there already is added with 200', says.created, [
    '    answer(201, $pet);\n',
    "    $same = array_filter($pets, fn ($other) => $other['name'] === $pet['name']);\n    answer(count($same) > 1 ? 200 : 201, $pet);\n",
  ]),
  wrong('status lines', 'a name with an emoji is 500', says.created, [
    fields,
    `    if (preg_match('/[\\x{10000}-\\x{10ffff}]/u', $given->name)) {\n        throw new Refusal(500, 'SQL', 'Incorrect string value.');\n    }\n${fields}`,
  ]),
  wrong('errors', 'the message is an array when two fields are invalid', says.errorMessage, [
    message,
    "        'message' => str_contains($refusal->getMessage(), '; ') ? explode('; ', $refusal->getMessage()) : $refusal->getMessage(),\n",
  ]),
  wrong('refusals', 'the name 0 is missing', says.name, ['!isset($given->name)', 'empty($given->name)']),
  wrong('names', 'a name ends at U+0000', says.name, [
    fields,
    fields.replace('$given->name', 'explode("\\0", $given->name)[0]'),
  ]),
  wrong('names', 'a name ends at its first comma', says.name, [
    fields,
    fields.replace('$given->name', "explode(',', $given->name)[0]"),
  ]),
  wrong('http', 'a byte order mark stands before a list', says.http, [
    '    echo json_encode(',
    '    echo (array_is_list($body) ? "\\xEF\\xBB\\xBF" : \'\') . json_encode(',
  ]),
  wrong('creates', 'each status has ids of its own', says.id, [
    "'id' => 10 * (count($pets) + 1)]",
    "'id' => 10 * (count(array_filter($pets, fn ($other) => ($other['status'] ?? '') === ($fields['status'] ?? ''))) + 1)]",
  ]),
  wrong('int64', 'category -1 stands for none and is left out of lists', says.pet, [
    listed,
    `    $pets = array_map(fn ($pet) => $pet['categoryId'] === -1 ? array_diff_key($pet, ['categoryId' => 0]) : $pet, $pets);\n${listed}`,
  ]),
  wrong('lists', 'a list is made of one query for each status, and each has the limit', says.limit, [
    sliced,
    "    $parts = isset($_GET['status']) ? [$pets] : array_map(fn ($status) => array_filter($pets, fn ($pet) => ($pet['status'] ?? '') === $status), ['', ...STATUSES]);\n    $pets = array_merge(...array_map(fn ($part) => array_slice(array_values($part), 0, $limit), $parts));\n",
  ]),
  wrong('lists', 'lists are joined with the categories, which begin at 1', says.listPurpose, [
    loaded,
    `${loaded}    $pets = array_filter($pets, fn ($pet) => $pet['categoryId'] > 0);\n`,
  ]),
]

export const thirdRightPhp = [
  right('every response sets a cookie and may not be stored', [
    sent,
    `${sent}    header('Set-Cookie: PHPSESSID=' . bin2hex(random_bytes(13)) . '; path=/; HttpOnly');\n    header('Cache-Control: no-store, no-cache, must-revalidate');\n`,
  ]),
]
