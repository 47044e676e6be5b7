import { rightIn } from '../shop.ts'

const right = rightIn('go')

export const rightGo = [
  right('as it is'),
  right('an id that is no integer is 404', ['http.StatusBadRequest, "bad_id"', 'http.StatusNotFound, "bad_id"']),
  right('ids begin at 2^62', ['id > 100000;', 'id > 1<<62;'], ['lastID: 100000', 'lastID: 1 << 62']),
  right('lists come in any order', [
    'for id := s.lastID; id > 100000; id-- {\n		pet, ok := s.pets[id]\n		if !ok {\n			continue\n		}\n',
    'for _, pet := range s.pets {\n',
  ]),
  right('markup in JSON is not escaped', [
    'json.NewEncoder(w).Encode(value)',
    'encoder := json.NewEncoder(w)\n	encoder.SetEscapeHTML(false)\n	encoder.Encode(value)',
  ]),
  right('a body above 64 KiB is 413', [
    '	pet, err := parsePet(body)\n',
    '	if len(body) > 65536 {\n		refuse(w, http.StatusRequestEntityTooLarge, "too_large", "at most 64 KiB")\n		return\n	}\n	pet, err := parsePet(body)\n',
  ]),
  right('an unknown parameter of a list is refused', [
    '	limit := 20\n',
    '	for name := range query {\n		if name != "limit" && name != "status" {\n			refuse(w, http.StatusBadRequest, "bad_parameter", name)\n			return\n		}\n	}\n	limit := 20\n',
  ]),
  right('pages of other origins may call it', [
    '		header := r.Header.Get("Authorization")\n',
    '		w.Header().Set("Access-Control-Allow-Origin", "*")\n		if r.Method == http.MethodOptions {\n			w.WriteHeader(http.StatusNoContent)\n			return\n		}\n		header := r.Header.Get("Authorization")\n',
  ]),
  right('1000 animals are there from the start', [
    '	mux := http.NewServeMux()\n',
    '	for number := int64(0); number < 1000; number++ {\n		s.add(Pet{Name: fmt.Sprint("Old ", number), CategoryID: number})\n	}\n	mux := http.NewServeMux()\n',
  ]),
  right('/health needs no key', [
    '	mux.HandleFunc("/v1/pets/"',
    '	mux.HandleFunc("/health", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") })\n	mux.HandleFunc("/v1/pets/"',
  ]),
]
