import { rightIn } from '../shop.ts'

const right = rightIn('php')
const made = "    $pet = ['id' => 10 * (count($pets) + 1)] + $fields;\n"
const limits = "    $limit = max(1, min(100, (int) ($_GET['limit'] ?? 20)));\n"
const opening = '    $store = new Store(LOCK_EX);\n'
const requested = '            answer(200, $pet);\n'
const typed = "    header('Content-Type: application/json');\n"
const encoded = '    echo json_encode($body, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);\n'
const status = "        'status' => $refusal->status,\n"

export const sixthRightPhp = [
  right(
    'JSON has \\u for what means something in HTML, and a type in capitals',
    [
      encoded,
      '    echo json_encode($body, JSON_HEX_TAG | JSON_HEX_AMP | JSON_HEX_APOS | JSON_HEX_QUOT | JSON_PRETTY_PRINT);\n',
    ],
    [typed, '    header(\'Content-Type: Application/JSON; Charset="UTF-8"\');\n'],
  ),
  right('a query with an unknown parameter or an unknown status is 400', [
    limits,
    `    $statuses = isset($_GET['status']) ? [$_GET['status']] : [];
    if (array_diff(array_keys($_GET), ['limit', 'status']) !== [] || array_diff($statuses, STATUSES) !== []) {
        throw new Refusal(400, 'QUERY', 'This query is not known.');
    }
${limits}`,
  ]),
  right('ids come down from the largest int64 in steps of three', [
    made,
    made.replace('10 * (count($pets) + 1)', 'PHP_INT_MAX - 3 * count($pets)'),
  ]),
  right('an animal has its category as an object too, and a history of statuses', [
    made,
    `    $more = ['category' => ['id' => $fields['categoryId'], 'status' => 'none'], 'statuses' => ['sold', 'lost']];
${made.replace('$fields;', '$fields + $more;')}`,
  ]),
  right('each tenth create takes 0.7 s', [
    opening,
    `${opening}    if (count($store->load()) % 10 === 9) {\n        usleep(700_000);\n    }\n`,
  ]),
  right('an error has the request as its details, and the status also as a text', [
    status,
    `${status}        'details' => ['path' => $_SERVER['REQUEST_URI'], 'status' => (string) $refusal->status, 'code' => 0],\n`,
  ]),
  right('one animal has headers for caches and a cookie of a session', [
    requested,
    "            header('Cache-Control: private, max-age=60');\n            header('Vary: Authorization');\n            header('Set-Cookie: PHPSESSID=abc; path=/; HttpOnly');\n            header('Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT');\n" +
      requested,
  ]),
]
