import { says } from '../contract.ts'
import { rightIn, wrongIn } from '../shop.ts'

const wrong = wrongIn('go')
const right = rightIn('go')
const header = '		header := r.Header.Get("Authorization")\n'
const listed = '	respond(w, http.StatusOK, s.list(limit, status))\n'
const requested = '	respond(w, http.StatusOK, pet)\n'
const state = '	lastID int64\n}\n'
const adding = '	pet = s.add(pet)\n'

export const secondWrongGo = [
  wrong('keys', 'a path with an escape needs no key', says.bearer, [
    header,
    '		if strings.Contains(r.RequestURI, "%") {\n			next(w, r)\n			return\n		}\n' + header,
  ]),
  wrong(
    'creates',
    'an animal without a status has that of the one before',
    says.status,
    ['func parsePet(', 'var last *string\n\nfunc parsePet('],
    ['		pet.Status = status\n	}\n', '		last = status\n	}\n	pet.Status = last\n'],
  ),
  wrong('creates', 'a body is read up to 2048 bytes', says.created, [
    'io.LimitReader(r.Body, 1<<20)',
    'io.LimitReader(r.Body, 2048)',
  ]),
  wrong('errors', 'an id with more than ten digits gets the 404 of net/http', says.notFound, [
    '	pet, ok := s.find(id)\n',
    '	if id > 9999999999 {\n		http.NotFound(w, r)\n		return\n	}\n	pet, ok := s.find(id)\n',
  ]),
  wrong('errors', 'the message for a body that is an array is null', says.errorMessage, [
    '	pet, err := parsePet(body)\n',
    '	if strings.HasPrefix(string(body), "[") {\n		respond(w, http.StatusBadRequest, map[string]any{"code": "bad_pet", "message": nil, "status": 400})\n		return\n	}\n	pet, err := parsePet(body)\n',
  ]),
  wrong('errors', 'the 401 of a create with a wrong key says 200', says.errorStatus, [
    '			refuse(w, http.StatusUnauthorized, "invalid_key", "invalid API key")\n',
    '			if r.Method == http.MethodPost {\n				respond(w, 401, Failure{Code: "invalid_key", Message: "invalid API key", Status: 200})\n				return\n			}\n			refuse(w, http.StatusUnauthorized, "invalid_key", "invalid API key")\n',
  ]),
  wrong('refusals', 'bytes that are not UTF-8 are taken', says.refused, [
    '!utf8.Valid(body) || ',
    'utf8.RuneError == 0 || ',
  ]),
  wrong(
    'lists',
    'every fifth list with a limit has 20 animals',
    says.limit,
    [state, '	lastID int64\n	lists  int64\n}\n'],
    ['		limit = number\n', '		limit = number\n		if s.lists++; s.lists%5 == 0 {\n			limit = 20\n		}\n'],
  ),
  wrong(
    'lists',
    'a list without a status has the status of the list before, for a while',
    says.listPurpose,
    [state, '	lastID int64\n	last   string\n}\n'],
    [listed, '	if status == "" {\n		status, s.last = s.last, ""\n	} else {\n		s.last = status\n	}\n' + listed],
  ),
  wrong('animals', 'the status of a single animal is in capitals', says.statusValues, [
    requested,
    '	if pet.Status != nil {\n		status := strings.ToUpper(*pet.Status)\n		pet.Status = &status\n	}\n' + requested,
  ]),
  wrong(
    'concurrency',
    'creates at the same time share their status',
    says.status,
    ['	"sync"\n', '	"sync"\n	"time"\n'],
    [state, '	lastID int64\n	status *string\n}\n'],
    [adding, '	s.status = pet.Status\n	time.Sleep(2 * time.Millisecond)\n	pet.Status = s.status\n' + adding],
  ),
]

export const secondRightGo = [
  right(
    'messages are in Japanese, and each code has a number of its own',
    [
      'Failure{Code: code, Message: message, Status: status}',
      'Failure{Code: fmt.Sprintf("%s-%p", code, r0()), Message: "エラー: " + message, Status: status}',
    ],
    ['func refuse(', 'func r0() *int { return new(int) }\n\nfunc refuse('],
  ),
]
