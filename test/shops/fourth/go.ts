import { says } from '../contract.ts'
import { rightIn, wrongIn } from '../shop.ts'

const wrong = wrongIn('go')
const right = rightIn('go')
const imports = 'import (\n'
const sync = '	"sync"\n'
const state = '	lastID int64\n}\n'
const keyed = '		header := r.Header.Get("Authorization")\n'
const compared = 'token == header || token != s.key {\n'
const written =
  '	w.Header().Set("Content-Type", "application/json")\n	w.WriteHeader(status)\n	json.NewEncoder(w).Encode(value)\n'
const listed = '	respond(w, http.StatusOK, s.list(limit, status))\n'
const failed = '	if err != nil {\n		refuse(w, http.StatusBadRequest, "bad_pet", err.Error())\n'
const zipped = 'strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")'
const main = '	mux := http.NewServeMux()\n'

export const fourthWrongGo = [
  wrong(
    'http',
    'an error for who takes gzip says gzip and is not',
    says.errors,
    [imports, `${imports}	"compress/gzip"\n`],
    [keyed, `		if ${zipped} {\n			w.Header().Set("Content-Encoding", "gzip")\n		}\n${keyed}`],
    [
      written,
      '	w.Header().Set("Content-Type", "application/json")\n	w.WriteHeader(status)\n	if status < 400 && w.Header().Get("Content-Encoding") != "" {\n		zip := gzip.NewWriter(w)\n		json.NewEncoder(zip).Encode(value)\n		zip.Close()\n		return\n	}\n	json.NewEncoder(w).Encode(value)\n',
    ],
  ),
  wrong(
    'http',
    'a list that was compressed for one client goes compressed to all for 0.3 s, and does not say so',
    says.http,
    [imports, `${imports}	"bytes"\n	"compress/gzip"\n`],
    [sync, `${sync}	"time"\n`],
    ['type shop struct {\n', 'type page struct {\n	body []byte\n	at   time.Time\n}\n\ntype shop struct {\n'],
    [state, '	lastID int64\n	cache  sync.Map\n}\n'],
    [
      listed,
      `	known, ok := s.cache.Load(r.URL.RawQuery)
	if ${zipped} {
		var body bytes.Buffer
		zip := gzip.NewWriter(&body)
		json.NewEncoder(zip).Encode(s.list(limit, status))
		zip.Close()
		known, ok = page{body.Bytes(), time.Now()}, true
		s.cache.Store(r.URL.RawQuery, known)
		w.Header().Set("Content-Encoding", "gzip")
	}
	if ok && time.Since(known.(page).at) < 300*time.Millisecond {
		w.Header().Set("Content-Type", "application/json")
		w.Write(known.(page).body)
		return
	}
${listed}`,
    ],
  ),
  wrong(
    'keys',
    'one of five instances takes any key',
    says.unauthorized,
    [sync, `${sync}	"sync/atomic"\n`],
    [state, '	lastID int64\n	turn   atomic.Int64\n}\n'],
    [compared, 'token == header || token != s.key && s.turn.Add(1)%5 != 0 {\n'],
  ),
  wrong(
    'status lines',
    'a create is redirected to the address with a slash',
    says.created,
    ['		s.createPet(w, r)\n', '		http.Redirect(w, r, "/v1/pets/", http.StatusMovedPermanently)\n'],
    [
      '	if r.Method != http.MethodGet {\n',
      '	if r.URL.Path == "/v1/pets/" && r.Method == http.MethodPost {\n		s.createPet(w, r)\n		return\n	}\n	if r.Method != http.MethodGet {\n',
    ],
  ),
  wrong('refusals', 'a body in chunks is not checked', says.refused, [
    failed,
    failed.replace('err != nil', 'err != nil && r.ContentLength >= 0'),
  ]),
  wrong(
    'refusals',
    'white space around a status is cut off',
    says.statusValues,
    ['!isStatus(*status) {\n', '!isStatus(strings.TrimSpace(*status)) {\n'],
    ['		pet.Status = status\n', '		trimmed := strings.TrimSpace(*status)\n		pet.Status = &trimmed\n'],
  ),
  wrong(
    'errors',
    'the message of a 400 is the error itself, which is {} in JSON',
    says.errorMessage,
    ['	Message string `json:"message"`\n', '	Message any    `json:"message"`\n'],
    ['code, message string) {\n', 'code string, message any) {\n'],
    ['err.Error())\n', 'err)\n'],
  ),
  wrong('animals', 'an animal without a status has no category either', says.categoryId, [
    '// Failure is',
    `func (p Pet) MarshalJSON() ([]byte, error) {
	if p.Status == nil {
		return json.Marshal(map[string]any{"id": p.ID, "name": p.Name})
	}
	type plain Pet
	return json.Marshal(plain(p))
}

// Failure is`,
  ]),
  wrong(
    'animals',
    'an animal is 404 for 50 ms after its 201, because it is read from a copy',
    says.requested,
    [sync, `${sync}	"time"\n`],
    [state, '	lastID int64\n	since  map[int64]time.Time\n}\n'],
    ['lastID: 100000}', 'lastID: 100000, since: map[int64]time.Time{}}'],
    ['	s.pets[pet.ID] = pet\n', '	s.pets[pet.ID] = pet\n	s.since[pet.ID] = time.Now()\n'],
    [
      '	pet, ok := s.pets[id]\n	return pet, ok\n',
      '	pet, ok := s.pets[id]\n	return pet, ok && time.Since(s.since[id]) > 50*time.Millisecond\n',
    ],
  ),
  wrong('int64', 'a list writes a negative category without a sign, as 2^64 less', says.categoryId, [
    listed,
    `	type row struct {
		ID         int64   \`json:"id"\`
		Name       string  \`json:"name"\`
		CategoryID uint64  \`json:"categoryId"\`
		Status     *string \`json:"status,omitempty"\`
	}
	rows := []row{}
	for _, pet := range s.list(limit, status) {
		rows = append(rows, row{pet.ID, pet.Name, uint64(pet.CategoryID), pet.Status})
	}
	respond(w, http.StatusOK, rows)
`,
  ]),
  wrong('media types', 'a response above 8192 bytes is application/octet-stream', says.mediaType, [
    written,
    `	text, _ := json.Marshal(value)
	if w.Header().Set("Content-Type", "application/json"); len(text) > 8192 {
		w.Header().Set("Content-Type", "application/octet-stream")
	}
	w.WriteHeader(status)
	w.Write(text)
`,
  ]),
  wrong(
    'concurrency',
    'a list is read ten animals at a time by their places, so a create in between repeats one',
    says.page,
    [sync, `${sync}	"time"\n`],
    [
      'func (s *shop) list(limit int, status string) []Pet {\n',
      `func (s *shop) list(limit int, status string) []Pet {
	pets := []Pet{}
	for len(pets) < limit {
		part := s.part(len(pets), limit-len(pets), status)
		if len(part) == 0 {
			break
		}
		pets = append(pets, part...)
		time.Sleep(time.Millisecond)
	}
	return pets
}

func (s *shop) part(skip, limit int, status string) []Pet {
	if limit > 10 {
		limit = 10
	}
`,
    ],
    [
      '		if len(pets) == limit {\n',
      '		if skip > 0 {\n			skip--\n			continue\n		}\n		if len(pets) == limit {\n',
    ],
  ),
  wrong(
    'concurrency',
    'lists at the same time are written into one array',
    says.everyStatus,
    [sync, `${sync}	"time"\n`],
    [state, '	lastID int64\n	rows   [128]Pet\n}\n'],
    [
      '	s.mu.RLock()\n	defer s.mu.RUnlock()\n	pets := []Pet{}\n',
      '	s.mu.Lock()\n	defer s.mu.Unlock()\n	pets := s.rows[:0]\n',
    ],
    [
      listed,
      '	pets := s.list(limit, status)\n	time.Sleep(2 * time.Millisecond)\n	s.mu.RLock()\n	defer s.mu.RUnlock()\n	respond(w, http.StatusOK, pets)\n',
    ],
  ),
]

export const fourthRightGo = [
  right('hints come before each response', [
    keyed,
    `		w.Header().Set("Link", "</v1/docs>; rel=help")\n		w.WriteHeader(http.StatusEarlyHints)\n${keyed}`,
  ]),
  right(
    'a wrong key is answered after 0.3 s',
    [sync, `${sync}	"time"\n`],
    [`		if ${compared}`, `		if ${compared}			time.Sleep(300 * time.Millisecond)\n`],
  ),
  right(
    'another client adds animals to the 200 that are there, and removes as many',
    [imports, `${imports}	"math/rand"\n`],
    [sync, `${sync}	"time"\n`],
    [
      main,
      `	others := []int64{}
	add := func(number int) {
		pet := Pet{Name: fmt.Sprint("Other ", number), CategoryID: int64(number)}
		if status := []string{"", "available", "pending", "sold"}[number%4]; status != "" {
			pet.Status = &status
		}
		others = append(others, s.add(pet).ID)
	}
	for number := 0; number < 200; number++ {
		add(number)
	}
	go func() {
		for number := 200; ; number++ {
			time.Sleep(50 * time.Millisecond)
			add(number)
			place := len(others) - 1 - rand.Intn(20)
			s.mu.Lock()
			delete(s.pets, others[place])
			s.mu.Unlock()
			others = append(others[:place], others[place+1:]...)
		}
	}()
${main}`,
    ],
  ),
]
