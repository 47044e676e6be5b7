import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('php')
const header = "    $header = $_SERVER['HTTP_AUTHORIZATION'] ?? '';\n"
const pattern = "    if (!preg_match('/^Bearer +(\\S+)$/i', $header, $parts)) {\n"
const malformed = "        throw new Refusal(401, 'KEY_MALFORMED', 'The header is not \"Bearer\" and a key.');\n"
const compared = "    if (!hash_equals(getenv('SHOP_KEY'), $parts[1])) {\n"
const invalid = "        throw new Refusal(401, 'KEY_INVALID', 'The API key is not valid.');\n"
const notName = '    } elseif (!is_string($given->name)) {\n'
const noCategory = '    if (!isset($given->categoryId)) {\n'
const notInteger = '    } elseif (!is_int($given->categoryId)) {\n'
const unknownStatus = "    if (property_exists($given, 'status') && !in_array($given->status, STATUSES, true)) {\n"
const anyErrors = '    if ($errors !== []) {\n'
const fields = "    $pet = ['name' => $given->name, 'categoryId' => $given->categoryId];\n"
const withStatus = '    if (isset($given->status)) {\n'
const reading = '    $fields = read_new_pet();\n'
const opening = `${reading}    $store = new Store(LOCK_EX);\n    $pets = $store->load();\n`

export const sixthWrongPhpRequests = [
  wrong('keys', 'strncmp compares as much of the key as was sent', says.unauthorized, [
    compared,
    "    if (strncmp(getenv('SHOP_KEY'), $parts[1], strlen($parts[1])) !== 0) {\n",
  ]),
  wrong('keys', 'str_replace takes "Bearer " away, and misses nothing', says.bearer, [
    pattern,
    "    $parts = [1 => str_replace('Bearer ', '', $header)];\n    if ($parts[1] === '') {\n",
  ]),
  wrong('keys', 'getallheaders has the header only as it was written', says.header, [
    header,
    "    $header = getallheaders()['Authorization'] ?? '';\n",
  ]),
  wrong('keys', 'a header without a bearer token is 400', says.unauthorized, [
    malformed,
    malformed.replace('401', '400'),
  ]),
  wrong('keys', 'die() tells that a key is not valid', says.unauthorized, [
    invalid,
    "        http_response_code(401);\n        die('Unauthorized');\n",
  ]),
  wrong(
    'keys',
    'an account without a key has the empty one',
    says.unauthorized,
    [pattern, pattern.replace('+(\\S+)$', '*(\\S*)$')],
    [compared, "    if (!in_array($parts[1], [getenv('SHOP_KEY'), (string) getenv('SHOP_SECOND_KEY')], true)) {\n"],
  ),
  wrong(
    'keys',
    'the key is asked for after the routes, by which the unknown are 404',
    says.unauthorized,
    ['try {\n    check_key();\n', 'try {\n'],
    [
      "    foreach ((new Store(LOCK_SH))->load() as $pet) {\n        if ((string) $pet['id'] === $id) {\n",
      "    foreach ((new Store(LOCK_SH))->load() as $pet) {\n        if ((string) $pet['id'] === $id) {\n            check_key();\n",
    ],
    ["    if ($path === '/v1/pets') {\n", "    if ($path === '/v1/pets') {\n        check_key();\n"],
  ),
  wrong('refusals', 'is_numeric takes texts and fractions', says.refused, [
    notInteger,
    notInteger.replace('is_int', 'is_numeric'),
  ]),
  wrong('refusals', 'FILTER_VALIDATE_INT takes texts and true', says.refused, [
    notInteger,
    '    } elseif (filter_var($given->categoryId, FILTER_VALIDATE_INT) === false) {\n',
  ]),
  wrong(
    'refusals',
    'a cast makes an integer of everything',
    says.refused,
    [notInteger, '    } elseif (false) {\n'],
    [fields, fields.replace('=> $given->categoryId', '=> (int) $given->categoryId')],
  ),
  wrong('refusals', 'a category of 0 is empty()', says.created, [noCategory, noCategory.replace('!isset', 'empty')]),
  wrong('refusals', 'in_array is not strict, and true is in the list', says.refused, [
    unknownStatus,
    unknownStatus.replace(', true', ''),
  ]),
  wrong('refusals', 'array_search finds available at 0, which is false', says.created, [
    unknownStatus,
    unknownStatus.replace('in_array', 'array_search'),
  ]),
  wrong('refusals', 'a status that is no text is a TypeError, 500 without a body', says.refused, [
    unknownStatus,
    unknownStatus.replace('!in_array', '(strlen($given->status) > 20 || !in_array').replace('true))', 'true)))'),
  ]),
  wrong(
    'refusals',
    'one error is not more than one',
    says.refused,
    [anyErrors, '    if (count($errors) > 1) {\n'],
    [
      fields,
      fields
        .replace('$given->name', '$given->name ?? null')
        .replace('$given->categoryId', '$given->categoryId ?? null'),
    ],
  ),
  wrong('refusals', 'a name may be any scalar and stays one', says.refused, [
    notName,
    notName.replace('is_string', 'is_scalar'),
  ]),
  wrong('refusals', 'a status is only looked at beside a wrong name', says.statusValues, [
    unknownStatus,
    unknownStatus.replace('if (', 'if ($errors !== [] && '),
  ]),
  wrong('int64', 'a category is brought into the range of INT', says.categoryId, [
    fields,
    fields.replace('=> $given->categoryId', '=> max(-2147483648, min(2147483647, $given->categoryId))'),
  ]),
  wrong('int64', 'an integer beyond 32 bits is a float', says.categoryId, [
    fields,
    fields.replace(
      '=> $given->categoryId',
      '=> abs($given->categoryId) < 2 ** 31 ? $given->categoryId : (float) $given->categoryId',
    ),
  ]),
  wrong(
    'http',
    'a warning is printed before an animal without a status',
    says.http,
    [withStatus, '    if ($given->status) {\n'],
    ["ini_set('display_errors', '0');\n", "ini_set('display_errors', '1');\n"],
  ),
  wrong('names', 'a name with an emoji does not fit into utf8 of three bytes, 500', says.created, [
    reading,
    `${reading}    if (preg_match('/[\\x{10000}-\\x{10FFFF}]/u', $fields['name'])) {
        throw new Refusal(500, 'HY000', 'Incorrect string value.');
    }
`,
  ]),
  wrong('names', 'an apostrophe ends the SQL of an insert, 500', says.created, [
    reading,
    `${reading}    if (str_contains($fields['name'], "'")) {
        http_response_code(500);
        die('SQLSTATE[42000]: You have an error in your SQL syntax');
    }
`,
  ]),
  wrong('durability', 'the file is emptied before the body is judged', says.requested, [
    opening,
    '    $store = new Store(LOCK_EX);\n    $pets = $store->load();\n    $store->save([]);\n    $fields = read_new_pet();\n',
  ]),
  wrong('concurrency', 'a create takes the lock of a reader', says.id, [
    opening,
    `${reading}    $store = new Store(LOCK_SH);\n    $pets = $store->load();\n    usleep(2000);\n`,
  ]),
]
