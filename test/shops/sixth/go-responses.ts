import { says } from '../contract.ts'
import { wrongIn } from '../shop.ts'

const wrong = wrongIn('go')
const sync = '	"sync"\n'
const petsField = '	pets   map[int64]Pet\n'
const emptyPets = 'pets: map[int64]Pet{}'
const stored = '	s.pets[pet.ID] = pet\n	return pet\n'
const found = '	pet, ok := s.pets[id]\n	return pet, ok\n'
const ranging = '	pets := []Pet{}\n	for id := s.lastID; id > 100000; id-- {\n'
const looked = '		pet, ok := s.pets[id]\n		if !ok {\n			continue\n		}\n'
const cut = '		if len(pets) == limit {\n			break\n		}\n'
const collected = '		pets = append(pets, pet)\n	}\n	return pets\n'
const responding =
  '	w.Header().Set("Content-Type", "application/json")\n	w.WriteHeader(status)\n	json.NewEncoder(w).Encode(value)\n'
const refusing = '	respond(w, status, Failure{Code: code, Message: message, Status: status})\n'
const listed = '	respond(w, http.StatusOK, s.list(limit, status))\n'
const adding = '	pet = s.add(pet)\n'
const created = '	respond(w, http.StatusCreated, pet)\n'
const requested = '	respond(w, http.StatusOK, pet)\n'
const badPet = '		refuse(w, http.StatusBadRequest, "bad_pet", err.Error())\n'
const notFound = '		refuse(w, http.StatusNotFound, "no_pet", fmt.Sprintf("no animal has the id %d", id))\n'
const categoryTag = '	CategoryID int64   `json:"categoryId"`\n'
const statusField = '	Status     *string `json:"status,omitempty"`\n'
const failure = '	Code    string `json:"code"`\n	Message string `json:"message"`\n	Status  int    `json:"status"`\n'
const locked = '	s.mu.Lock()\n	defer s.mu.Unlock()\n	s.lastID++\n	pet.ID = s.lastID\n	s.pets[pet.ID] = pet\n'

export const sixthWrongGoResponses = [
  wrong('errors', 'the members of an error have capitals, for want of tags', says.errors, [
    failure,
    '	Code    string\n	Message string\n	Status  int\n',
  ]),
  wrong(
    'errors',
    'the message of a refused body is an error value, so it is {}',
    says.errorMessage,
    [failure, failure.replace('Message string', 'Message any')],
    [badPet, '		respond(w, http.StatusBadRequest, Failure{"bad_pet", err, http.StatusBadRequest})\n'],
  ),
  wrong(
    'errors',
    'the status of an error is left out where nobody set it',
    says.errorStatus,
    [failure, failure.replace('"status"', '"status,omitempty"')],
    [notFound, '		respond(w, http.StatusNotFound, Failure{Code: "no_pet", Message: "no such animal"})\n'],
  ),
  wrong('media types', 'a 404 is JSON that http.Error sends as text/plain', says.mediaType, [
    notFound,
    '		text, _ := json.Marshal(Failure{"no_pet", "no such animal", http.StatusNotFound})\n		http.Error(w, string(text), http.StatusNotFound)\n',
  ]),
  wrong('media types', 'the type of a created animal is set after its headers went', says.mediaType, [
    created,
    '	w.WriteHeader(http.StatusCreated)\n	w.Header().Set("Content-Type", "application/json")\n	json.NewEncoder(w).Encode(pet)\n',
  ]),
  wrong('status lines', 'the body of an error is written before its status, so it is 200', says.unauthorized, [
    refusing,
    '	w.Header().Set("Content-Type", "application/json")\n	json.NewEncoder(w).Encode(Failure{Code: code, Message: message, Status: status})\n	w.WriteHeader(status)\n',
  ]),
  wrong('creates', 'the created animal is the copy that got no id', says.created, [adding, '	s.add(pet)\n']),
  wrong('creates', 'a created animal is only its id', says.created, [
    created,
    '	respond(w, http.StatusCreated, struct {\n		ID int64 `json:"id"`\n	}{pet.ID})\n',
  ]),
  wrong('creates', 'a second Encode follows the created animal', says.http, [
    created,
    `${created}	json.NewEncoder(w).Encode(map[string]bool{"ok": true})\n`,
  ]),
  wrong('lists', 'a list is one object after the other, as the encoder has them', says.bareArray, [
    listed,
    `	w.Header().Set("Content-Type", "application/json")
	encoder := json.NewEncoder(w)
	for _, pet := range s.list(limit, status) {
		encoder.Encode(pet)
	}
`,
  ]),
  wrong('lists', 'a comma follows the last animal of a list', says.http, [
    listed,
    `	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, "[")
	for _, pet := range s.list(limit, status) {
		text, _ := json.Marshal(pet)
		fmt.Fprintf(w, "%s,", text)
	}
	fmt.Fprint(w, "]")
`,
  ]),
  wrong(
    'lists',
    'a page is sliced to its limit, beyond what was found',
    says.page,
    [cut, ''],
    [collected, collected.replace('return pets\n', 'return pets[:limit]\n')],
  ),
  wrong('lists', 'a list without animals is an uninitialized slice', says.bareArray, [
    ranging,
    ranging.replace('pets := []Pet{}', 'var pets []Pet'),
  ]),
  wrong('lists', 'a page ends when it has more animals than its limit', says.limit, [cut, cut.replace('==', '>')]),
  wrong('lists', 'an animal whose status is nil passes each filter', says.everyStatus, [
    '(pet.Status == nil || *pet.Status != status)',
    'pet.Status != nil && *pet.Status != status',
  ]),
  wrong(
    'durability',
    'a list of one status is filtered in the memory of the store',
    says.requested,
    [petsField, '	pets   []Pet\n'],
    [emptyPets, 'pets: []Pet{}'],
    [stored, '	s.pets = append([]Pet{pet}, s.pets...)\n	return pet\n'],
    [
      found,
      '	for _, pet := range s.pets {\n		if pet.ID == id {\n			return pet, true\n		}\n	}\n	return Pet{}, false\n',
    ],
    [ranging, '	pets := s.pets[:0]\n	if status == "" {\n		pets = []Pet{}\n	}\n	for _, pet := range s.pets {\n'],
    [looked, ''],
  ),
  wrong('animals', 'a pointer to the variable of a loop is the last animal', says.requested, [
    found,
    `	var found, pet *Pet = nil, new(Pet)
	for _, *pet = range s.pets {
		if pet.ID == id {
			found = pet
		}
	}
	if found == nil {
		return Pet{}, false
	}
	return *found, true
`,
  ]),
  wrong('animals', 'one animal has the number of its status', says.status, [
    requested,
    `	numbers := map[string]int{"available": 0, "pending": 1, "sold": 2}
	fields := map[string]any{"id": pet.ID, "name": pet.Name, "categoryId": pet.CategoryID}
	if pet.Status != nil {
		fields["status"] = numbers[*pet.Status]
	}
	respond(w, http.StatusOK, fields)
`,
  ]),
  wrong(
    'animals',
    'a status that was not given is an empty text',
    says.statusValues,
    [statusField, '	Status     *string `json:"status"`\n'],
    [adding, `	if pet.Status == nil {\n		pet.Status = new(string)\n	}\n${adding}`],
  ),
  wrong('animals', 'a category of 0 is left out by omitempty', says.pet, [
    categoryTag,
    '	CategoryID int64   `json:"categoryId,omitempty"`\n',
  ]),
  wrong('animals', 'the tag of a category in JSON is that of its column', says.pet, [
    categoryTag,
    '	CategoryID int64   `json:"category_id"`\n',
  ]),
  wrong('int64', 'the category of an animal has the option string', says.categoryId, [
    categoryTag,
    '	CategoryID int64   `json:"categoryId,string"`\n',
  ]),
  wrong('names', 'one animal is written with %q, which knows more escapes than JSON', says.http, [
    requested,
    `	w.Header().Set("Content-Type", "application/json")
	if pet.Status == nil {
		fmt.Fprintf(w, \`{"id":%d,"name":%q,"categoryId":%d}\`+"\\n", pet.ID, pet.Name, pet.CategoryID)
		return
	}
	fmt.Fprintf(w, \`{"id":%d,"name":%q,"categoryId":%d,"status":%q}\`+"\\n", pet.ID, pet.Name, pet.CategoryID, *pet.Status)
`,
  ]),
  wrong(
    'concurrency',
    'a buffer goes back to its pool before it is written',
    says.http,
    ['	"encoding/json"\n', '	"bytes"\n	"encoding/json"\n'],
    [sync, `${sync}	"time"\n`],
    ['func respond(', 'var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}\n\nfunc respond('],
    [
      responding,
      `	buffer := buffers.Get().(*bytes.Buffer)
	buffer.Reset()
	json.NewEncoder(buffer).Encode(value)
	body := buffer.Bytes()
	buffers.Put(buffer)
	time.Sleep(time.Millisecond)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body)
`,
    ],
  ),
  wrong(
    'concurrency',
    'the number of animals is read under one lock and the next id stored under another',
    says.id,
    [sync, `${sync}	"time"\n`],
    [
      locked,
      `	s.mu.RLock()
	pet.ID = s.lastID + 1
	s.mu.RUnlock()
	time.Sleep(time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastID = pet.ID
	s.pets[pet.ID] = pet
`,
    ],
  ),
]
