import { rightIn } from '../shop.ts'

const right = rightIn('php')
const id = "'id' => 10 * (count($pets) + 1)]"

export const rightPhp = [
  right('as it is'),
  right('JSON has only ASCII', [', JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES', '']),
  right('ids are above 2^53', [id, "'id' => 9007199254740993 + 2 * count($pets)]"]),
  right('ids come in no order', [id, "'id' => 1 + (count($pets) + 1) * 7919 % 1000003]"]),
  right('a limit out of range is refused', [
    '    $pets = (new Store(LOCK_SH))->load();\n',
    "    if (isset($_GET['limit']) && (!ctype_digit($_GET['limit']) || $limit !== (int) $_GET['limit'])) {\n        throw new Refusal(400, 'LIMIT', 'limit is from 1 to 100.');\n    }\n    $pets = (new Store(LOCK_SH))->load();\n",
  ]),
  right('responses are compressed for who takes it', [
    '    http_response_code($status);\n',
    "    ob_start('ob_gzhandler');\n    http_response_code($status);\n",
  ]),
  right('the id is the last member', ['$pet = [' + id + ' + $fields;', '$pet = $fields + [' + id + ';']),
  right('an unknown path is 404 without a key', [
    '    check_key();\n',
    "    if (!preg_match('#^/v1/pets(/[^/?]+)?(\\?|$)#', $_SERVER['REQUEST_URI'])) {\n        throw new Refusal(404, 'NOT_FOUND', 'There is nothing at this address.');\n    }\n    check_key();\n",
  ]),
  right('an animal without a status is available', [
    '    return $pet;\n',
    "    return $pet + ['status' => 'available'];\n",
  ]),
  right('an id that is no integer is 400', [
    '    foreach ((new Store(LOCK_SH))->load() as $pet) {',
    "    if (!preg_match('/^-?\\d+$/', $id)) {\n        throw new Refusal(400, 'ID', 'An id is an integer.');\n    }\n    foreach ((new Store(LOCK_SH))->load() as $pet) {",
  ]),
]
