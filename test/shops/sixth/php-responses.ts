import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('php')
const made = "    $pet = ['id' => 10 * (count($pets) + 1)] + $fields;\n"
const appended = '    $pets[] = $pet;\n'
const created = '    answer(201, $pet);\n'
const filtering = "    if (isset($_GET['status'])) {\n"
const sliced = '    $pets = array_slice(array_values($pets), 0, $limit);\n'
const listed = '    answer(200, $pets);\n'
const requested = '            answer(200, $pet);\n'
const noAnimal = "    throw new Refusal(404, 'NOT_FOUND', 'There is no animal with this id.');\n"
const coded = '    http_response_code($status);\n'
const typed = "    header('Content-Type: application/json');\n"
const encoded = '    echo json_encode($body, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);\n'
const caught = '} catch (Refusal $refusal) {\n'
const code = "        'code' => $refusal->reason,\n"
const status = "        'status' => $refusal->status,\n"

export const sixthWrongPhpResponses = [
  wrong('errors', 'a refused body has the shape of Laravel', says.errors, [
    caught,
    `${caught}    if ($refusal->status === 400) {
        answer(400, ['message' => $refusal->getMessage(), 'errors' => ['body' => [$refusal->getMessage()]]]);
    }
`,
  ]),
  wrong('errors', 'the code of an error is that of its exception, 0', says.errorCode, [
    code,
    "        'code' => $refusal->getCode(),\n",
  ]),
  wrong(
    'errors',
    'the status of an error is error, and its number the code',
    says.errorStatus,
    [code, "        'code' => $refusal->status,\n"],
    [status, "        'status' => 'error',\n"],
  ),
  wrong('errors', 'an unknown animal is a 404 without a body', says.errors, [
    noAnimal,
    '    http_response_code(404);\n    exit;\n',
  ]),
  wrong('errors', 'an error is in an array, as a list of problems', says.errors, [
    encoded,
    encoded.replace('$body,', '$status < 400 ? $body : [$body],'),
  ]),
  wrong(
    'media types',
    'the type is set after the body was printed',
    says.mediaType,
    [typed, ''],
    [encoded, `${encoded}    ob_get_level() > 0 && ob_end_flush();\n    flush();\n${typed}`],
  ),
  wrong('media types', 'JSON is text/json', says.mediaType, [typed, typed.replace('application/', 'text/')]),
  wrong('media types', 'a refusal forgets the type', says.mediaType, [
    typed,
    '    if ($status !== 400) {\n    ' + typed + '    }\n',
  ]),
  wrong('status lines', 'a created animal is 302, since its Location was sent first', says.created, [
    coded,
    `    if ($status === 201) {
        header("Location: /v1/pets/{$body['id']}");
    } else {
        http_response_code($status);
    }
`,
  ]),
  wrong('status lines', 'an unknown animal is 200 and false, as fetch() has it', says.notFound, [
    noAnimal,
    '    answer(200, false);\n',
  ]),
  wrong('status lines', 'an animal that was asked for is 302 Found', says.requested, [
    requested,
    '            answer(302, $pet);\n',
  ]),
  wrong('lists', 'array_reverse keeps the keys, and a list is an object', says.bareArray, [
    sliced,
    '    $pets = array_slice(array_reverse($pets, true), 0, $limit, true);\n',
  ]),
  wrong('lists', 'array_chunk has all pages, and a list is all of them', says.page, [
    sliced,
    '    $pets = array_chunk($pets, $limit);\n',
  ]),
  wrong('lists', 'a list of one animal is the animal', says.bareArray, [
    listed,
    '    answer(200, count($pets) === 1 ? $pets[0] : $pets);\n',
  ]),
  wrong('lists', 'a list without animals is an object', says.bareArray, [
    listed,
    '    answer(200, $pets ?: new stdClass());\n',
  ]),
  wrong('lists', 'a status is not looked at when there is a limit', says.everyStatus, [
    filtering,
    "    if (isset($_GET['status']) && !isset($_GET['limit'])) {\n",
  ]),
  wrong('lists', 'a list is JSON in a text of JSON', says.bareArray, [
    listed,
    '    answer(200, json_encode($pets));\n',
  ]),
  wrong('lists', 'a list ends with the number of its animals', says.pets, [
    listed,
    "    answer(200, [...$pets, ['total' => count($pets)]]);\n",
  ]),
  wrong('lists', 'twice the limit is read, for the next page, and returned', says.limit, [
    sliced,
    '    $pets = array_slice(array_values($pets), 0, 2 * $limit);\n',
  ]),
  wrong('animals', 'a name of digits is a number, as JSON_NUMERIC_CHECK has it', says.name, [
    encoded,
    encoded.replace('$body, ', '$body, JSON_NUMERIC_CHECK | '),
  ]),
  wrong('animals', 'the columns of one animal are texts, as PDO returns them', says.requested, [
    requested,
    '            answer(200, array_map(strval(...), $pet));\n',
  ]),
  wrong('animals', 'one animal is a row, as FETCH_NUM has it', says.requested, [
    requested,
    '            answer(200, array_values($pet));\n',
  ]),
  wrong('animals', 'an animal that is read has its status in capitals', says.statusValues, [
    requested,
    "            answer(200, isset($pet['status']) ? ['status' => strtoupper($pet['status'])] + $pet : $pet);\n",
  ]),
  wrong('creates', 'the id of a created animal is a text, as lastInsertId() has it', says.id, [
    created,
    "    answer(201, ['id' => (string) $pet['id']] + $pet);\n",
  ]),
  wrong(
    'creates',
    'an animal is saved twice with one id',
    says.id,
    [appended, `${appended}${appended}`],
    [made, made.replace('count($pets)', 'intdiv(count($pets), 2)')],
  ),
  wrong('creates', 'a created animal is told by its address alone', says.created, [
    created,
    "    answer(201, '/v1/pets/' . $pet['id']);\n",
  ]),
  wrong('names', 'a created animal whose name has a letter of Latin-1 is no text for json_encode', says.created, [
    created,
    "    answer(201, array_replace($pet, ['name' => utf8_decode($pet['name'])]));\n",
  ]),
  wrong('durability', 'the last 40 animals are kept, and ids count what is kept', says.id, [
    appended,
    `${appended}    $pets = array_slice($pets, -40);\n`,
  ]),
]
