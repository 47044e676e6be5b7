import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('go')
const trimmed = '		token := strings.TrimPrefix(header, "Bearer ")\n'
const compared = '		if token == header || token != s.key {\n'
const invalidKey = '			refuse(w, http.StatusUnauthorized, "invalid_key", "invalid API key")\n			return\n'
const missingKey = '			refuse(w, http.StatusUnauthorized, "missing_key", "no API key")\n			return\n'
const state = 'type shop struct {\n'
const sync = '	"sync"\n'
const category =
  '	var category *int64\n	if json.Unmarshal(fields["categoryId"], &category) != nil || category == nil {\n'
const categorySet = '	pet.CategoryID = *category\n'
const name = '	var name *string\n	if json.Unmarshal(fields["name"], &name) != nil || name == nil {\n'
const nameSet = '	pet.Name = *name\n'
const status =
  '		if json.Unmarshal(raw, &status) != nil || status == nil || !isStatus(*status) {\n			return pet, errors.New("status must be available, pending or sold")\n		}\n		pet.Status = status\n'
const reading = '	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))\n'
const parsing = '	pet, err := parsePet(body)\n'
const badPet = '		refuse(w, http.StatusBadRequest, "bad_pet", err.Error())\n		return\n'
const adding = '	pet = s.add(pet)\n'
const parsedId = 'strconv.ParseInt(strings.TrimPrefix(r.URL.Path, "/v1/pets/"), 10, 64)'
const notFound = '		refuse(w, http.StatusNotFound, "no_pet", fmt.Sprintf("no animal has the id %d", id))\n'
const routes = '	mux.HandleFunc("/v1/pets/", s.withKey(s.getPet))\n'

export const sixthWrongGoRequests = [
  wrong(
    'keys',
    'TrimLeft takes all letters of "Bearer " away, and needs none',
    says.bearer,
    [trimmed, '		token := strings.TrimLeft(header, "Bearer ")\n'],
    [compared, '		if token != s.key {\n'],
  ),
  wrong('keys', 'a header without "Bearer " is an index out of range', says.unauthorized, [
    trimmed,
    '		token := strings.Split(header, "Bearer ")[1]\n',
  ]),
  wrong('keys', 'the comparison of keys ignores upper and lower case', says.unauthorized, [
    compared,
    '		if token == header || !strings.EqualFold(token, s.key) {\n',
  ]),
  wrong('keys', 'the handler goes on after the refusal of a key', says.unauthorized, [
    invalidKey,
    invalidKey.replace('			return\n', ''),
  ]),
  wrong('keys', 'a wrong key is a 401 without a body', says.unauthorized, [
    invalidKey,
    '			w.WriteHeader(http.StatusUnauthorized)\n			return\n',
  ]),
  wrong('keys', 'a missing key is told by http.Error, as text', says.unauthorized, [
    missingKey,
    '			http.Error(w, "Unauthorized", http.StatusUnauthorized)\n			return\n',
  ]),
  wrong(
    'keys',
    'the last words of the header are compared with the key',
    says.unauthorized,
    [compared, '		if !strings.HasSuffix(header, s.key) {\n'],
    [trimmed, ''],
  ),
  wrong('keys', 'the wrapper that asks for a key is missing at the route of one animal', says.bearer, [
    routes,
    '	mux.HandleFunc("/v1/pets/", s.getPet)\n',
  ]),
  wrong(
    'concurrency',
    'the token of a request is a field of the server',
    says.unauthorized,
    [state, `${state}	token string\n`],
    [sync, `${sync}	"time"\n`],
    [
      trimmed,
      '		s.token = strings.TrimPrefix(header, "Bearer ")\n		time.Sleep(time.Millisecond)\n		token := s.token\n',
    ],
  ),
  wrong(
    'refusals',
    'a categoryId that is missing or null is the zero value',
    says.required,
    [
      category,
      '	var category int64\n	if raw, given := fields["categoryId"]; given && json.Unmarshal(raw, &category) != nil {\n',
    ],
    [categorySet, '	pet.CategoryID = category\n'],
  ),
  wrong(
    'refusals',
    'a name that is null is the zero value',
    says.refused,
    [name, '	var name string\n	if raw, given := fields["name"]; !given || json.Unmarshal(raw, &name) != nil {\n'],
    [nameSet, '	pet.Name = name\n'],
  ),
  wrong('refusals', 'an empty body is io.EOF, which is 500', says.refused, [
    parsing,
    `	if len(body) == 0 {
		refuse(w, http.StatusInternalServerError, "internal", io.EOF.Error())
		return
	}
${parsing}`,
  ]),
  wrong('refusals', 'the handler goes on after the refusal of a body', says.refused, [
    badPet,
    badPet.replace('		return\n', ''),
  ]),
  wrong('refusals', 'an unknown status is left out, not refused', says.refused, [
    status,
    '		if json.Unmarshal(raw, &status) == nil && status != nil && isStatus(*status) {\n			pet.Status = status\n		}\n',
  ]),
  wrong(
    'refusals',
    'a categoryId in quotes is read, as json.Number does',
    says.refused,
    [
      category,
      `	var number *json.Number
	if json.Unmarshal(fields["categoryId"], &number) != nil || number == nil {
		return pet, errors.New("categoryId must be an int64")
	}
	category, err := number.Int64()
	if err != nil {
`,
    ],
    [categorySet, '	pet.CategoryID = category\n'],
  ),
  wrong('refusals', 'errors of validation are an errors.New that nobody maps, 500', says.refused, [
    badPet,
    badPet.replace('StatusBadRequest, "bad_pet"', 'StatusInternalServerError, "internal"'),
  ]),
  wrong(
    'int64',
    'a category passes through a float64 and loses its fraction',
    says.categoryId,
    [
      category,
      '	var category *float64\n	if json.Unmarshal(fields["categoryId"], &category) != nil || category == nil {\n',
    ],
    [categorySet, '	pet.CategoryID = int64(*category)\n'],
  ),
  wrong(
    'int64',
    'a category is an int32, and one that is larger is refused',
    says.categoryId,
    [category, category.replace('*int64', '*int32')],
    [categorySet, '	pet.CategoryID = int64(*category)\n'],
  ),
  wrong('int64', 'a category is an int32 by conversion', says.categoryId, [
    categorySet,
    '	pet.CategoryID = int64(int32(*category))\n',
  ]),
  wrong('int64', 'an id of more than 32 bits is a bad request', says.notFound, [
    parsedId,
    parsedId.replace('10, 64', '10, 32'),
  ]),
  wrong(
    'int64',
    'an id with a sign is a bad request, as ParseUint has it',
    says.notFound,
    ['	pet, ok := s.find(id)\n', '	pet, ok := s.find(int64(id))\n'],
    [parsedId, parsedId.replace('ParseInt', 'ParseUint')],
  ),
  wrong('names', 'a name with the character 0 is refused by the database, 500', says.created, [
    adding,
    `	if strings.Contains(pet.Name, "\\x00") {
		refuse(w, http.StatusInternalServerError, "internal", "invalid byte sequence for encoding UTF8: 0x00")
		return
	}
${adding}`,
  ]),
  wrong('http', 'one Read is the body', says.created, [
    reading,
    '	buffer := make([]byte, 1<<20)\n	count, err := r.Body.Read(buffer)\n	body := buffer[:count]\n	if err == io.EOF {\n		err = nil\n	}\n',
  ]),
  wrong('status lines', 'no rows is an error of the server', says.notFound, [
    notFound,
    '		refuse(w, http.StatusInternalServerError, "internal", "sql: no rows in result set")\n',
  ]),
]
