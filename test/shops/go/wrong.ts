import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('go')
const checking = 'if token == header || token != s.key {'
const adding = '	s.pets[pet.ID] = pet\n'
const refusing = 'respond(w, status, Failure{Code: code, Message: message, Status: status})'
const listed = 'respond(w, http.StatusOK, s.list(limit, status))'
const mediaType = 'w.Header().Set("Content-Type", "application/json")'

export const wrongGo = [
  wrong('keys', 'Bearer may be missing', says.bearer, [checking, 'if token != s.key {']),
  wrong('keys', 'the key is compared without case', says.unauthorized, [
    checking,
    'if token == header || !strings.EqualFold(token, s.key) {',
  ]),
  wrong('keys', 'what begins with the key is a key', says.unauthorized, [
    checking,
    'if token == header || !strings.HasPrefix(token, s.key) {',
  ]),
  wrong('keys', 'half of the key is enough', says.unauthorized, [
    checking,
    'if token == header || len(token) < len(s.key)/2 || !strings.HasPrefix(s.key, token) {',
  ]),
  wrong('keys', 'a single animal needs no key', says.bearer, ['s.withKey(s.getPet)', 's.getPet']),
  wrong('keys', 'a list needs only some bearer token', says.unauthorized, [
    checking,
    'if token == header || token != s.key && (r.Method != http.MethodGet || r.URL.Path != "/v1/pets") {',
  ]),
  wrong('keys', 'a cookie with the key is enough', says.header, [
    'header := r.Header.Get("Authorization")',
    'header := r.Header.Get("Authorization")\n\t\tif cookie, err := r.Cookie("api_key"); err == nil && header == "" {\n\t\t\theader = "Bearer " + cookie.Value\n\t\t}',
  ]),
  wrong('keys', 'key in the address is a key', says.header, [
    'header := r.Header.Get("Authorization")',
    'header := r.Header.Get("Authorization")\n\t\tif key := r.URL.Query().Get("key"); header == "" && key != "" {\n\t\t\theader = "Bearer " + key\n\t\t}',
  ]),
  wrong('keys', 'without a key a create is refused and stored', says.unauthorized, [
    '			refuse(w, http.StatusUnauthorized, "missing_key"',
    '			if body, err := io.ReadAll(r.Body); err == nil && r.Method == http.MethodPost {\n				if pet, err := parsePet(body); err == nil {\n					s.add(pet)\n				}\n			}\n			refuse(w, http.StatusUnauthorized, "missing_key"',
  ]),

  wrong('status lines', 'an invalid key is 403', says.unauthorized, [
    'http.StatusUnauthorized, "invalid_key"',
    'http.StatusForbidden, "invalid_key"',
  ]),
  wrong('status lines', 'an animal that is not there is 500', says.notFound, [
    'http.StatusNotFound, "no_pet"',
    'http.StatusInternalServerError, "no_pet"',
  ]),
  wrong('status lines', 'a bad animal is 422', says.refused, [
    'http.StatusBadRequest, "bad_pet"',
    'http.StatusUnprocessableEntity, "bad_pet"',
  ]),
  wrong('status lines', 'an added animal is 200', says.created, ['http.StatusCreated', 'http.StatusOK']),
  wrong('status lines', 'the 201 is written after the body, so it is 200', says.created, [
    'respond(w, http.StatusCreated, pet)',
    'w.Header().Set("Content-Type", "application/json")\n	json.NewEncoder(w).Encode(pet)\n	w.WriteHeader(http.StatusCreated)',
  ]),
  wrong('creates', 'a refused create goes on and adds the empty animal', says.refused, [
    'refuse(w, http.StatusBadRequest, "bad_pet", err.Error())\n		return',
    'refuse(w, http.StatusBadRequest, "bad_pet", err.Error())\n		s.add(pet)\n		return',
  ]),
  wrong('status lines', 'getPet is removed', says.removal, [
    '	mux.HandleFunc("/v1/pets/", s.withKey(s.getPet))\n',
    '',
  ]),

  wrong('errors', 'the 401 is a line of text', says.unauthorized, [
    'refuse(w, http.StatusUnauthorized, "invalid_key", "invalid API key")',
    'http.Error(w, "invalid API key", http.StatusUnauthorized)',
  ]),
  wrong('errors', 'the 404 is that of net/http', says.notFound, [
    'refuse(w, http.StatusNotFound, "no_pet", fmt.Sprintf("no animal has the id %d", id))',
    'http.NotFound(w, r)',
  ]),
  wrong('errors', 'the members are those of the struct', says.errors, [
    '	Code    string `json:"code"`\n	Message string `json:"message"`\n	Status  int    `json:"status"`\n',
    '	Code    string\n	Message string\n	Status  int\n',
  ]),
  wrong(
    'errors',
    'a status is left out when a key is missing',
    says.errorStatus,
    ['`json:"status"`\n', '`json:"status,omitempty"`\n'],
    [
      refusing,
      'number := status\n	if code == "missing_key" {\n		number = 0\n	}\n	respond(w, status, Failure{Code: code, Message: message, Status: number})',
    ],
  ),
  wrong('errors', 'a missing key gets a 401 without body', says.unauthorized, [
    'refuse(w, http.StatusUnauthorized, "missing_key", "no API key")',
    'w.WriteHeader(http.StatusUnauthorized)',
  ]),
  wrong('errors', 'the status of an error is a text', says.errorStatus, [
    '`json:"status"`\n',
    '`json:"status,string"`\n',
  ]),
  wrong('errors', 'a 400 has the status 500', says.errorStatus, [
    refusing,
    'number := status\n	if status == 400 {\n		number = 500\n	}\n	respond(w, status, Failure{Code: code, Message: message, Status: number})',
  ]),
  wrong('errors', 'a 400 for the category has no code', says.errorCode, [
    refusing,
    'if strings.HasPrefix(message, "categoryId") {\n		respond(w, status, map[string]any{"message": message, "status": status})\n		return\n	}\n	' +
      refusing,
  ]),
  wrong('errors', 'two errors come in one body', says.errors, [
    'refuse(w, http.StatusBadRequest, "bad_pet", err.Error())',
    'refuse(w, http.StatusBadRequest, "bad_pet", err.Error())\n		refuse(w, http.StatusBadRequest, "bad_pet", "try again")',
  ]),

  wrong('media types', 'Go guesses the media type', says.mediaType, ['	' + mediaType + '\n', '']),
  wrong('media types', 'the media type is set too late for a 201', says.mediaType, [
    '	' + mediaType + '\n	w.WriteHeader(status)\n',
    '	if status == http.StatusCreated {\n		w.WriteHeader(status)\n	}\n	' +
      mediaType +
      '\n	w.WriteHeader(status)\n',
  ]),
  wrong('media types', 'a 404 is application/problem+json', says.mediaType, [
    mediaType,
    mediaType + '\n	if status == 404 {\n		w.Header().Set("Content-Type", "application/problem+json")\n	}',
  ]),

  wrong(
    'int64',
    'the category goes through a double',
    says.categoryId,
    ['var category *int64', 'var category *float64'],
    ['pet.CategoryID = *category', 'pet.CategoryID = int64(*category)'],
  ),
  wrong(
    'int64',
    'the category is an int32',
    says.categoryId,
    ['var category *int64', 'var category *int32'],
    ['pet.CategoryID = *category', 'pet.CategoryID = int64(*category)'],
  ),
  wrong('int64', 'getPet looks at 32 bits of the id', says.petId, ['s.find(id)', 's.find(int64(int32(id)))']),
  wrong('int64', 'categories are texts', says.categoryId, ['`json:"categoryId"`', '`json:"categoryId,string"`']),
  wrong('int64', 'ids are texts', says.id, ['`json:"id"`', '`json:"id,string"`']),
  wrong('int64', 'a single animal rounds its category like a double', says.categoryId, [
    '	respond(w, http.StatusOK, pet)',
    '	pet.CategoryID = int64(float64(pet.CategoryID))\n	respond(w, http.StatusOK, pet)',
  ]),

  wrong('refusals', 'NAME is taken for name', says.required, [
    '	var name *string\n',
    '	var name *string\n	for member, value := range fields {\n		if strings.EqualFold(member, "name") {\n			fields["name"] = value\n		}\n	}\n',
  ]),
  wrong('refusals', 'a missing category is 0', says.required, [
    'json.Unmarshal(fields["categoryId"], &category) != nil || category == nil {',
    'fields["categoryId"] == nil {\n		category = new(int64)\n	} else if json.Unmarshal(fields["categoryId"], &category) != nil || category == nil {',
  ]),
  wrong('refusals', 'a missing name is an empty one', says.required, [
    'json.Unmarshal(fields["name"], &name) != nil || name == nil {',
    'fields["name"] == nil {\n		name = new(string)\n	} else if json.Unmarshal(fields["name"], &name) != nil || name == nil {',
  ]),
  wrong('refusals', 'any text is a status', says.statusValues, [
    'status == nil || !isStatus(*status)',
    'status == nil',
  ]),
  wrong(
    'refusals',
    'null is a name',
    says.refused,
    [' != nil || name == nil {', ' != nil {'],
    ['pet.Name = *name', 'if name != nil {\n		pet.Name = *name\n	}'],
  ),
  wrong('refusals', 'category 0 is refused', says.categoryId, [
    'category == nil {',
    'category == nil || *category == 0 {',
  ]),
  wrong('refusals', 'text after the object is ignored', says.refused, [
    'json.Unmarshal(body, &fields) != nil',
    'json.NewDecoder(strings.NewReader(string(body))).Decode(&fields) != nil',
  ]),

  wrong('creates', 'an animal whose status is missing has an empty one', says.statusValues, [
    '	pet.CategoryID = *category\n',
    '	pet.CategoryID = *category\n	pet.Status = new(string)\n',
  ]),
  wrong('creates', 'every eighth animal has the category of the one before', says.pet, [
    adding,
    '	if before, ok := s.pets[pet.ID-1]; ok && pet.ID%8 == 0 {\n		stored := pet\n		stored.CategoryID = before.CategoryID\n		s.pets[pet.ID] = stored\n		return pet\n	}\n' +
      adding,
  ]),
  wrong('creates', 'the id in the 201 is 0', says.created, ['pet = s.add(pet)', 's.add(pet)']),
  wrong('creates', 'a sold animal is not stored', says.created, [
    adding,
    '	if pet.Status == nil || *pet.Status != "sold" {\n		s.pets[pet.ID] = pet\n	}\n',
  ]),

  wrong('names', 'names are cut after 100 characters', says.name, [
    'pet.Name = *name',
    'pet.Name = *name\n	if runes := []rune(pet.Name); len(runes) > 100 {\n		pet.Name = string(runes[:100])\n	}',
  ]),
  wrong('names', 'white space in names is collapsed', says.name, [
    'pet.Name = *name',
    'pet.Name = strings.Join(strings.Fields(*name), " ")',
  ]),
  wrong('names', 'a list has names in capitals at their beginning', says.name, [
    'pets = append(pets, pet)',
    'pet.Name = strings.Title(pet.Name)\n		pets = append(pets, pet)',
  ]),

  wrong('lists', 'an empty list is null', says.pets, ['pets := []Pet{}', 'var pets []Pet']),
  wrong('lists', 'the default is 21', says.atMost20, ['limit := 20', 'limit := 21']),
  wrong('lists', 'without a limit there is none for a status', says.atMost20, [
    listed,
    'if !query.Has("limit") && status != "" {\n		limit = 1000\n	}\n	' + listed,
  ]),
  wrong('lists', '51 animals for 50', says.limit, ['limit = number', 'limit = number + number/50']),
  wrong(
    'lists',
    'the limit counts animals of other status',
    says.statusFilter,
    [
      '		if status != "" && (pet.Status == nil',
      '		if limit--; limit < 0 {\n			break\n		}\n		if status != "" && (pet.Status == nil',
    ],
    ['if len(pets) == limit {', 'if limit < 0 {'],
  ),
  wrong('lists', 'a list is in items', says.bareArray, [
    listed,
    'respond(w, http.StatusOK, map[string]any{"items": s.list(limit, status)})',
  ]),
  wrong('lists', 'the status pending is not filtered', says.everyStatus, [
    'if status != "" && (pet',
    'if status != "" && status != "pending" && (pet',
  ]),
  wrong('lists', 'the first animal is in no list', says.listPurpose, ['id > 100000; id--', 'id > 100001; id--']),

  wrong('animals', 'getPet answers with the animal before', says.requested, [
    'pet, ok := s.pets[id]\n	return',
    'pet, ok := s.pets[id]\n	if before, has := s.pets[id-1]; has {\n		pet = before\n	}\n	return',
  ]),
  wrong(
    'animals',
    'the pointer to the status is shared by all animals',
    says.status,
    ['pet.Status = status\n', 'shared = *status\n		pet.Status = &shared\n'],
    ['func isStatus(', 'var shared string\n\nfunc isStatus('],
  ),
  wrong(
    'concurrency',
    'the id is taken without a lock',
    says.id,
    [
      '	s.mu.Lock()\n	defer s.mu.Unlock()\n	s.lastID++\n	pet.ID = s.lastID\n',
      '	next := s.lastID + 1\n	time.Sleep(3 * time.Millisecond)\n	s.mu.Lock()\n	defer s.mu.Unlock()\n	s.lastID = next\n	pet.ID = next\n',
    ],
    ['	"sync"\n', '	"sync"\n	"time"\n'],
  ),
  wrong(
    'concurrency',
    'the animal being added is shared by all requests',
    says.created,
    [
      '	pet, err := parsePet(body)\n	if err != nil {',
      '	var err2 error\n	draft, err2 = parsePet(body)\n	time.Sleep(3 * time.Millisecond)\n	pet := draft\n	if err = err2; err != nil {',
    ],
    ['func isStatus(', 'var draft Pet\n\nfunc isStatus('],
    ['	"sync"\n', '	"sync"\n	"time"\n'],
  ),
  wrong('durability', 'after 40 animals no more are stored', says.created, [
    adding,
    '	if len(s.pets) < 40 {\n		s.pets[pet.ID] = pet\n	}\n',
  ]),
  wrong(
    'http',
    'a list for who takes gzip is gzip and does not say so',
    says.http,
    [
      listed,
      'if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {\n		' +
        mediaType +
        '\n		zip := gzip.NewWriter(w)\n		json.NewEncoder(zip).Encode(s.list(limit, status))\n		zip.Close()\n		return\n	}\n	' +
        listed,
    ],
    ['import (\n', 'import (\n	"compress/gzip"\n'],
  ),
]
