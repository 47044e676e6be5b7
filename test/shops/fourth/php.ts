import { says } from '../contract.ts'
import { rightIn, wrongIn } from '../shop.ts'

const wrong = wrongIn('php')
const right = rightIn('php')
const checking = '    check_key();\n'
const reading = '    $fields = read_new_pet();\n'
const fields = "    $pet = ['name' => $given->name, 'categoryId' => $given->categoryId];\n"
const limit = "    $limit = max(1, min(100, (int) ($_GET['limit'] ?? 20)));\n"
const sliced = '    $pets = array_slice(array_values($pets), 0, $limit);\n'
const listed = '    answer(200, $pets);\n'
const added = '    answer(201, $pet);\n'
const requested = '            answer(200, $pet);\n'
const encoded = '    echo json_encode($body, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);\n'

export const fourthWrongPhp = [
  wrong(
    'keys',
    'an address with a slash at its end needs no key',
    says.bearer,
    [
      checking,
      "    $path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) ?: '/';\n    if (!str_ends_with($path, '/')) {\n        check_key();\n    }\n",
    ],
    ["parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) ?: '/');\n", "rtrim($path, '/'));\n"],
  ),
  wrong('keys', 'who asks for HTML needs no key', says.bearer, [
    checking,
    "    if (!str_starts_with($_SERVER['HTTP_ACCEPT'] ?? '', 'text/html')) {\n        check_key();\n    }\n",
  ]),
  wrong('status lines', 'a create from a page has no CSRF token and is 403', says.created, [
    reading,
    `    if (isset($_SERVER['HTTP_ORIGIN'])) {\n        throw new Refusal(403, 'CSRF', 'The CSRF token is missing.');\n    }\n${reading}`,
  ]),
  wrong('status lines', 'a name above 255 bytes is 500', says.created, [
    fields,
    `    if (strlen($given->name) > 255) {\n        throw new Refusal(500, 'DATABASE', 'Data too long for column "name".');\n    }\n${fields}`,
  ]),
  wrong('status lines', 'a name with U+0000 is 500', says.created, [
    fields,
    `    if (str_contains($given->name, "\\0")) {\n        throw new Refusal(500, 'DATABASE', 'invalid byte sequence for encoding "UTF8": 0x00');\n    }\n${fields}`,
  ]),
  wrong('status lines', 'who accepts JSON and something else is 406', says.page, [
    checking,
    `${checking}    if (!in_array($_SERVER['HTTP_ACCEPT'] ?? '*/*', ['*/*', 'application/json'], true)) {\n        throw new Refusal(406, 'NOT_ACCEPTABLE', 'Only application/json is served.');\n    }\n`,
  ]),
  wrong('status lines', 'two invalid members are 422, one is 400', says.refused, [
    "throw new Refusal(400, 'INVALID',",
    "throw new Refusal(count($errors) > 1 ? 422 : 400, 'INVALID',",
  ]),
  wrong(
    'animals',
    'an animal without a status is 404 by its id, because null is not unequal to deleted',
    says.requested,
    [
      "        if ((string) $pet['id'] === $id) {\n",
      "        if ((string) $pet['id'] === $id && isset($pet['status'])) {\n",
    ],
  ),
  wrong('animals', 'a single animal is in an array', says.requested, [requested, '            answer(200, [$pet]);\n']),
  wrong('creates', 'the 201 is found by the name, so a twin gets the first one', says.id, [
    added,
    "    answer(201, current(array_filter($pets, fn ($other) => $other['name'] === $pet['name'])));\n",
  ]),
  wrong('lists', 'a list of more than 50 is an array of arrays', says.pets, [
    listed,
    '    answer(200, count($pets) > 50 ? array_chunk($pets, 50) : $pets);\n',
  ]),
  wrong('lists', 'a list with a status has null in the place of the others', says.everyStatus, [
    "        $pets = array_filter($pets, fn ($pet) => ($pet['status'] ?? null) === $_GET['status']);\n",
    "        $pets = array_map(fn ($pet) => ($pet['status'] ?? null) === $_GET['status'] ? $pet : null, $pets);\n",
  ]),
  wrong('lists', 'the limit counts categories, and all of their animals are shown', says.limit, [
    sliced,
    "    $groups = [];\n    foreach ($pets as $pet) {\n        $groups[$pet['categoryId']][] = $pet;\n    }\n    $pets = array_merge(...array_slice(array_values($groups), 0, $limit));\n",
  ]),
  wrong('http', 'a response above 1024 bytes is compressed twice and says so once', says.http, [
    encoded,
    `    $text = json_encode($body, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);\n    if (strlen($text) > 1024 && str_contains($_SERVER['HTTP_ACCEPT_ENCODING'] ?? '', 'gzip')) {\n        header('Content-Encoding: gzip');\n        $text = gzencode(gzencode($text));\n    }\n    echo $text;\n`,
  ]),
  wrong('int64', 'a category of ten digits or more is a $numberLong', says.categoryId, [
    encoded,
    `    echo preg_replace('/"categoryId":(-?\\d{10,})/', '"categoryId":{"$numberLong":"\\1"}', json_encode($body, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES));\n`,
  ]),
  wrong(
    'concurrency',
    'an animal is 404 while another is written',
    says.requested,
    [
      '    foreach ((new Store(LOCK_SH))->load() as $pet) {\n',
      '    foreach ((new Store(LOCK_UN))->load() as $pet) {\n',
    ],
    ['        ftruncate($this->file, 0);\n', '        ftruncate($this->file, 0);\n        usleep(3000);\n'],
  ),
]

export const fourthRightPhp = [
  right('categories must exist: those from -1000 to 1000 and those of 2^53 and more do', [
    '    if (property_exists($given',
    `    if (is_int($given->categoryId ?? null) && abs($given->categoryId) > 1000 && abs($given->categoryId) < 2 ** 53) {\n        $errors[] = 'there is no category ' . $given->categoryId;\n    }\n    if (property_exists($given`,
  ]),
  right('a limit that is not allowed gives an empty list', [
    limit,
    `    if (!preg_match('/^([1-9][0-9]?|100)$/', $_GET['limit'] ?? '20')) {\n        answer(200, []);\n    }\n${limit}`,
  ]),
  right('animals have more members, which differ from the others in case alone', [
    '] + $fields;\n',
    "] + $fields + ['ID' => null, 'NAME' => ['sold'], 'CategoryId' => 'none', 'Status' => 'lost', 'error' => false];\n",
  ]),
]
