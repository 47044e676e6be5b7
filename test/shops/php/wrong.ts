import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('php')
const checking = "if (!hash_equals(getenv('SHOP_KEY'), $parts[1])) {"
const refused = 'answer($refusal->status, ['
const sent = "header('Content-Type: application/json');"
const stored = "$pet = ['name' => $given->name, 'categoryId' => $given->categoryId];"
const header = "$header = $_SERVER['HTTP_AUTHORIZATION'] ?? '';"

export const wrongPhp = [
  wrong('keys', 'the key is compared without case', says.unauthorized, [
    checking,
    "if (strcasecmp(getenv('SHOP_KEY'), $parts[1]) !== 0) {",
  ]),
  wrong('keys', 'a key that contains the key is a key', says.unauthorized, [
    checking,
    "if (!str_contains($parts[1], getenv('SHOP_KEY'))) {",
  ]),
  wrong('keys', 'a part of the key is a key', says.unauthorized, [
    checking,
    "if (!str_contains(getenv('SHOP_KEY'), $parts[1])) {",
  ]),
  wrong('keys', 'the key is a user of basic authentication', says.bearer, [
    header,
    "$header = isset($_SERVER['PHP_AUTH_USER']) ? 'Bearer ' . $_SERVER['PHP_AUTH_USER'] : $_SERVER['HTTP_AUTHORIZATION'] ?? '';",
  ]),
  wrong('keys', 'api_key in the address is a key', says.header, [
    header,
    "$header = $_SERVER['HTTP_AUTHORIZATION'] ?? (isset($_GET['api_key']) ? 'Bearer ' . $_GET['api_key'] : '');",
  ]),
  wrong('keys', 'every key is right', says.unauthorized, [checking, 'if (false) {']),
  wrong('keys', 'a list needs no key', says.bearer, [
    '    check_key();\n',
    "    if ($_SERVER['REQUEST_METHOD'] !== 'GET' || !str_starts_with($_SERVER['REQUEST_URI'], '/v1/pets') || str_contains($_SERVER['REQUEST_URI'], 'pets/')) check_key();\n",
  ]),
  wrong('keys', 'a list with limit and status needs no key', says.bearer, [
    '    check_key();\n',
    "    if (!isset($_GET['limit'], $_GET['status'])) check_key();\n",
  ]),
  wrong('keys', 'a list with a wrong key is empty', says.unauthorized, [
    checking,
    "if (!hash_equals(getenv('SHOP_KEY'), $parts[1]) && $_SERVER['REQUEST_METHOD'] === 'GET' && !str_contains($_SERVER['REQUEST_URI'], 'pets/')) {\n        answer(200, []);\n    }\n    " +
      checking,
  ]),

  wrong('status lines', 'a malformed header is 400', says.unauthorized, [
    "(401, 'KEY_MALFORMED'",
    "(400, 'KEY_MALFORMED'",
  ]),
  wrong('status lines', 'an animal that is not there is 204', says.notFound, [
    "throw new Refusal(404, 'NOT_FOUND', 'There is no animal with this id.');",
    'http_response_code(204);\n    exit;',
  ]),
  wrong('status lines', 'invalid values are 422', says.refused, ["Refusal(400, 'INVALID'", "Refusal(422, 'INVALID'"]),
  wrong('status lines', 'a body that is no object is 500', says.refused, [
    "Refusal(400, 'NOT_AN_OBJECT'",
    "Refusal(500, 'NOT_AN_OBJECT'",
  ]),
  wrong('status lines', 'an added animal is 303 to its address', says.created, [
    'answer(201, $pet);',
    'header("Location: /v1/pets/{$pet[\'id\']}");\n    answer(303, $pet);',
  ]),
  wrong('status lines', 'a text that is not JSON is 415', says.refused, [
    "Refusal(400, 'NOT_JSON'",
    "Refusal(415, 'NOT_JSON'",
  ]),

  wrong('errors', 'the code of a missing key is null', says.errorCode, [
    "'code' => $refusal->reason,",
    "'code' => $refusal->reason === 'KEY_MISSING' ? null : $refusal->reason,",
  ]),
  wrong('errors', 'the status of a 401 is a text', says.errorStatus, [
    "'status' => $refusal->status,",
    "'status' => $refusal->status === 401 ? '401' : $refusal->status,",
  ]),
  wrong('errors', 'the messages of invalid values are an object', says.errorMessage, [
    "'message' => $refusal->getMessage(),",
    "'message' => $refusal->reason === 'INVALID' ? ['errors' => explode('; ', $refusal->getMessage())] : $refusal->getMessage(),",
  ]),
  wrong('errors', 'a 404 is null', says.errors, [
    refused,
    'if ($refusal->status === 404) answer(404, null);\n    ' + refused,
  ]),
  wrong('errors', 'a 400 for what is not JSON is a page', says.errors, [
    refused,
    "if ($refusal->reason === 'NOT_JSON') { http_response_code(400); exit('<h1>Syntax error</h1>'); }\n    " + refused,
  ]),
  wrong('errors', 'a warning stands before the error of a body that is no object', says.errors, [
    refused,
    'if ($refusal->reason === \'NOT_AN_OBJECT\') echo "Warning: Attempt to read property on array\\n";\n    ' + refused,
  ]),
  wrong('errors', 'an invalid key has error instead of code', says.errorCode, [
    "'code' => $refusal->reason,",
    "($refusal->reason === 'KEY_INVALID' ? 'error' : 'code') => $refusal->reason,",
  ]),
  wrong('errors', "a create's 400 has the status 0", says.errorStatus, [
    "'status' => $refusal->status,",
    "'status' => $refusal->status === 400 ? 0 : $refusal->status,",
  ]),
  wrong('errors', 'the message of a 401 is false', says.errorMessage, [
    "'message' => $refusal->getMessage(),",
    "'message' => $refusal->status === 401 ? false : $refusal->getMessage(),",
  ]),

  wrong('media types', 'everything is text/html', says.mediaType, [sent, '']),
  wrong('media types', 'the 201 is text/plain', says.mediaType, [
    sent,
    "header('Content-Type: ' . ($status === 201 ? 'text/plain' : 'application/json'));",
  ]),
  wrong('media types', 'a single animal is application/vnd.api+json', says.mediaType, [
    sent,
    "header('Content-Type: ' . ($status === 200 && isset($body['id']) ? 'application/vnd.api+json' : 'application/json'));",
  ]),
  wrong('media types', 'who asks for XML gets XML', says.mediaType, [
    sent,
    "if (str_contains($_SERVER['HTTP_ACCEPT'] ?? '', 'xml')) {\n        header('Content-Type: application/xml');\n        exit('<pets/>');\n    }\n    " +
      sent,
  ]),

  wrong('int64', 'categories are stored as doubles', says.categoryId, [
    stored,
    stored.replace('=> $given->categoryId', '=> (int) (float) $given->categoryId'),
  ]),
  wrong('int64', 'a category beyond int64 is the largest int64', says.categoryId, [
    '    $errors = [];\n',
    '    $errors = [];\n    if (is_float($given->categoryId ?? null) && $given->categoryId > 1e18) {\n        $given->categoryId = PHP_INT_MAX;\n    }\n',
  ]),
  wrong('int64', 'a category is a text in lists', says.categoryId, [
    '    answer(200, $pets);',
    "    answer(200, array_map(fn ($pet) => ['categoryId' => (string) $pet['categoryId']] + $pet, $pets));",
  ]),
  wrong('int64', 'categories keep their lower 32 bits', says.categoryId, [
    stored,
    stored.replace('=> $given->categoryId', '=> $given->categoryId & 0xffffffff'),
  ]),

  wrong('refusals', 'category 0 is missing', says.categoryId, [
    '!isset($given->categoryId)',
    'empty($given->categoryId)',
  ]),
  wrong('refusals', 'true is a status', says.statusValues, [
    'in_array($given->status, STATUSES, true)',
    'in_array($given->status, STATUSES, false)',
  ]),
  wrong('refusals', 'an unknown status is left out', says.statusValues, [
    "if (property_exists($given, 'status') && !in_array($given->status, STATUSES, true)) {",
    "if (property_exists($given, 'status') && !in_array($given->status, STATUSES, true)) {\n        unset($given->status);\n    }\n    if (false) {",
  ]),
  wrong(
    'refusals',
    'a category with a fraction is cut',
    says.refused,
    ['!is_int($given->categoryId)', '!is_numeric($given->categoryId) || is_string($given->categoryId)'],
    [stored, stored.replace('=> $given->categoryId', '=> (int) $given->categoryId')],
  ),
  wrong('refusals', 'a name may be an array', says.refused, ['!is_string($given->name)', 'is_int($given->name)']),
  wrong('refusals', 'a missing name is an empty one', says.required, [
    "$errors[] = 'name is missing';",
    "$given->name = '';",
  ]),

  wrong('creates', 'a refused create is stored when only the status is bad', says.refused, [
    '    if ($errors !== []) {\n',
    "    if (count($errors) === 1 && str_starts_with($errors[0], 'status')) {\n        $store = new Store(LOCK_EX);\n        $pets = $store->load();\n        $store->save([...$pets, ['id' => 10 * (count($pets) + 1), 'name' => $given->name, 'categoryId' => $given->categoryId]]);\n    }\n    if ($errors !== []) {\n",
  ]),
  wrong('creates', 'every twelfth animal has the id of the one before', says.id, [
    "'id' => 10 * (count($pets) + 1)]",
    "'id' => 10 * (count($pets) + (count($pets) % 12 === 11 ? 0 : 1))]",
  ]),
  wrong('creates', 'the id is a text', says.id, [
    "'id' => 10 * (count($pets) + 1)]",
    "'id' => (string) (10 * (count($pets) + 1))]",
  ]),
  wrong('creates', 'the 201 has the id of the next animal', says.id, [
    'answer(201, $pet);',
    "answer(201, ['id' => $pet['id'] + 10] + $pet);",
  ]),
  wrong('creates', 'the 201 lacks the category', says.pet, [
    'answer(201, $pet);',
    "unset($pet['categoryId']);\n    answer(201, $pet);",
  ]),

  wrong('names', 'quotes in names get a backslash', says.name, [
    stored,
    stored.replace('=> $given->name', '=> addslashes($given->name)'),
  ]),
  wrong('names', 'markup in names is removed', says.name, [
    stored,
    stored.replace('=> $given->name', '=> strip_tags($given->name)'),
  ]),
  wrong('names', 'names are cut after 64 bytes', says.name, [
    stored,
    stored.replace(
      '=> $given->name',
      "=> strlen($given->name) > 64 ? preg_replace('/[\\x80-\\xff]+$/', '', substr($given->name, 0, 64)) : $given->name",
    ),
  ]),
  wrong('names', 'a single animal has its name in lower case', says.name, [
    '            answer(200, $pet);',
    "            answer(200, ['name' => strtolower($pet['name'])] + $pet);",
  ]),

  wrong('lists', 'a filtered list is an object', says.bareArray, [
    'array_slice(array_values($pets), 0, $limit)',
    'array_slice($pets, 0, $limit, true)',
  ]),
  wrong('lists', 'the default is 10', says.limit, ["$_GET['limit'] ?? 20", "$_GET['limit'] ?? 10"]),
  wrong('lists', 'a limit of 1 is no limit', says.limit, [
    'max(1,',
    "(int) ($_GET['limit'] ?? 20) === 1 ? 20 : max(1,",
  ]),
  wrong('lists', 'lists have no status', says.pet, [
    '    answer(200, $pets);',
    "    answer(200, array_map(fn ($pet) => array_diff_key($pet, ['status' => 1]), $pets));",
  ]),
  wrong('lists', 'a limit of 1 gives a single animal', says.bareArray, [
    '    answer(200, $pets);',
    '    answer(200, $limit === 1 && $pets ? $pets[0] : $pets);',
  ]),
  wrong('lists', 'sold animals are not listed without a status', says.listPurpose, [
    '    $pets = array_slice(',
    "    if (!isset($_GET['status'])) {\n        $pets = array_filter($pets, fn ($pet) => ($pet['status'] ?? null) !== 'sold');\n    }\n    $pets = array_slice(",
  ]),

  wrong('animals', 'an id is found by its first digits', says.notFound, [
    "(string) $pet['id'] === $id",
    "str_starts_with($id, (string) $pet['id'])",
  ]),
  wrong(
    'concurrency',
    'the lock is forgotten',
    says.created,
    ['$store = new Store(LOCK_EX);', '$store = new Store(LOCK_UN);\n    usleep(1000);'],
    ['$store->save($pets);', 'usleep(3000);\n    $store->save($pets);'],
  ),
  wrong(
    'concurrency',
    'the id is chosen before the lock',
    says.id,
    [
      '    $store = new Store(LOCK_EX);\n',
      '    $next = 10 * (count((new Store(LOCK_UN))->load()) + 1);\n    usleep(5000);\n    $store = new Store(LOCK_EX);\n',
    ],
    ["'id' => 10 * (count($pets) + 1)]", "'id' => $next]"],
  ),
  wrong('durability', 'an animal loses its name when 64 newer ones came', says.created, [
    '$pets[] = $pet;',
    "$pets[] = $pet;\n    if (count($pets) > 64) {\n        $pets[count($pets) - 65]['status'] = 'sold';\n        $pets[count($pets) - 65]['name'] = '';\n    }",
  ]),
  wrong('http', 'a notice stands before a list of more than 20', says.http, [
    '    answer(200, $pets);',
    '    echo count($pets) > 20 ? "Notice: Undefined index\\n" : \'\';\n    answer(200, $pets);',
  ]),
]
