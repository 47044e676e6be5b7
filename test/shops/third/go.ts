import { says } from '../contract.ts'
import { rightIn, wrongIn } from '../shop.ts'

const wrong = wrongIn('go')
const right = rightIn('go')
const mediaType = 'w.Header().Set("Content-Type", "application/json")'
const writing = '	w.WriteHeader(status)\n	json.NewEncoder(w).Encode(value)\n'
const listed = '	respond(w, http.StatusOK, s.list(limit, status))\n'
const state = '	lastID int64\n}\n'
const sync = '	"sync"\n'
const finding = '	pet, ok := s.find(id)\n	if !ok {\n'
const invalid = '			refuse(w, http.StatusUnauthorized, "invalid_key", "invalid API key")\n'

export const thirdWrongGo = [
  wrong(
    'keys',
    'from the 21st wrong key on a wrong key is 403',
    says.unauthorized,
    [sync, `${sync}	"sync/atomic"\n`],
    [state, '	lastID int64\n	wrong  atomic.Int64\n}\n'],
    [
      invalid,
      `			if s.wrong.Add(1) > 20 {\n				refuse(w, http.StatusForbidden, "locked", "too many wrong keys")\n				return\n			}\n${invalid}`,
    ],
  ),
  wrong('int64', 'category 0 is the zero value and is left out', says.pet, [
    '`json:"categoryId"`',
    '`json:"categoryId,omitempty"`',
  ]),
  wrong('names', 'a percent sign in a name is a format', says.name, [
    writing,
    '	w.WriteHeader(status)\n	text, _ := json.Marshal(value)\n	fmt.Fprintf(w, string(text)+"\\n")\n',
  ]),
  wrong(
    'names',
    'characters that nobody sees are removed from names, also those that join two emojis',
    says.name,
    ['	"unicode/utf8"\n', '	"unicode"\n	"unicode/utf8"\n'],
    [
      '	pet.Name = *name\n',
      '	pet.Name = strings.Map(func(letter rune) rune {\n		if unicode.Is(unicode.Cf, letter) {\n			return -1\n		}\n		return letter\n	}, *name)\n',
    ],
  ),
  wrong(
    'lists',
    'a list has pointers to the animal that was looked at last',
    says.listPurpose,
    ['status string) []Pet {\n', 'status string) []*Pet {\n'],
    ['	pets := []Pet{}\n', '	pets := []*Pet{}\n	var pet Pet\n	var ok bool\n'],
    ['		pet, ok := s.pets[id]\n		if !ok {\n', '		pet, ok = s.pets[id]\n		if !ok {\n'],
    ['append(pets, pet)', 'append(pets, &pet)'],
  ),
  wrong('animals', 'the status available is the default and is left out of a single animal', says.status, [
    '	respond(w, http.StatusOK, pet)\n',
    '	if pet.Status != nil && *pet.Status == "available" {\n		pet.Status = nil\n	}\n	respond(w, http.StatusOK, pet)\n',
  ]),
  wrong('http', 'a list with a status ends with a comma unless its last animal is the last of all', says.http, [
    listed,
    `	${mediaType}\n	io.WriteString(w, "[")\n	all, count := s.list(1<<30, ""), 0\n	for index, pet := range all {\n		if status != "" && (pet.Status == nil || *pet.Status != status) {\n			continue\n		}\n		text, _ := json.Marshal(pet)\n		w.Write(text)\n		if count++; count == limit {\n			break\n		}\n		if index < len(all)-1 {\n			io.WriteString(w, ",")\n		}\n	}\n	io.WriteString(w, "]\\n")\n`,
  ]),
  wrong(
    'http',
    'a list in gzip has the length of its text',
    says.http,
    ['import (\n', 'import (\n	"compress/gzip"\n'],
    [
      listed,
      `	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {\n		text, _ := json.Marshal(s.list(limit, status))\n		${mediaType}\n		w.Header().Set("Content-Encoding", "gzip")\n		w.Header().Set("Content-Length", strconv.Itoa(len(text)))\n		zip := gzip.NewWriter(w)\n		zip.Write(text)\n		zip.Close()\n		return\n	}\n${listed}`,
    ],
  ),
  wrong(
    'concurrency',
    'responses at the same time share a buffer',
    says.http,
    [sync, `${sync}	"sync/atomic"\n	"time"\n`],
    ['func respond(', 'var buffer atomic.Value\n\nfunc respond('],
    [
      writing,
      "	text, _ := json.Marshal(value)\n	buffer.Store(append(text, '\\n'))\n	time.Sleep(time.Millisecond)\n	w.WriteHeader(status)\n	w.Write(buffer.Load().([]byte))\n",
    ],
  ),
  wrong(
    'concurrency',
    'equal creates at the same time are one animal',
    says.created,
    [sync, `${sync}	"time"\n`],
    ['type shop struct {\n', 'type flight struct {\n	done chan bool\n	pet  Pet\n}\n\ntype shop struct {\n'],
    [state, '	lastID int64\n	air    sync.Mutex\n	flying map[string]*flight\n}\n'],
    ['lastID: 100000}', 'lastID: 100000, flying: map[string]*flight{}}'],
    [
      '	pet = s.add(pet)\n',
      '	s.air.Lock()\n	other, ok := s.flying[string(body)]\n	if !ok {\n		other = &flight{done: make(chan bool)}\n		s.flying[string(body)] = other\n	}\n	s.air.Unlock()\n	if ok {\n		<-other.done\n	} else {\n		other.pet = s.add(pet)\n		time.Sleep(3 * time.Millisecond)\n		s.air.Lock()\n		delete(s.flying, string(body))\n		s.air.Unlock()\n		close(other.done)\n	}\n	pet = other.pet\n',
    ],
  ),
  wrong(
    'durability',
    'each 404 keeps one of eight connections to the database, then getPet is 500',
    says.requested,
    [sync, `${sync}	"sync/atomic"\n`],
    [state, '	lastID int64\n	lost   atomic.Int64\n}\n'],
    [
      finding,
      '	if s.lost.Load() >= 8 {\n		refuse(w, http.StatusInternalServerError, "no_connection", "too many connections")\n		return\n	}\n	pet, ok := s.find(id)\n	if !ok {\n		s.lost.Add(1)\n',
    ],
  ),
  wrong('durability', 'a 404 keeps the lock, so the next create gets no response', says.created, [
    '	defer s.mu.RUnlock()\n	pet, ok := s.pets[id]\n	return pet, ok\n',
    '	pet, ok := s.pets[id]\n	if !ok {\n		return pet, false\n	}\n	s.mu.RUnlock()\n	return pet, true\n',
  ]),
]

export const thirdRightGo = [
  right(
    'another client adds ten animals a second to the 200 that are there',
    [sync, `${sync}	"time"\n`],
    [
      '	mux := http.NewServeMux()\n',
      '	other := func(number int) {\n		pet := Pet{Name: fmt.Sprint("Other ", number), CategoryID: int64(number)}\n		if status := []string{"", "available", "pending", "sold"}[number%4]; status != "" {\n			pet.Status = &status\n		}\n		s.add(pet)\n	}\n	for number := 0; number < 200; number++ {\n		other(number)\n	}\n	go func() {\n		for number := 200; ; number++ {\n			time.Sleep(100 * time.Millisecond)\n			other(number)\n		}\n	}()\n	mux := http.NewServeMux()\n',
    ],
  ),
  right('a limit of 0 is 1', [
    '		if err != nil || number < 1',
    '		if err == nil && number == 0 {\n			number = 1\n		}\n		if err != nil || number < 1',
  ]),
]
