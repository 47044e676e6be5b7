import { rightIn } from '../shop.ts'

const right = rightIn('go')
const sync = '	"sync"\n'
const ranging =
  '	for id := s.lastID; id > 100000; id-- {\n		pet, ok := s.pets[id]\n		if !ok {\n			continue\n		}\n'
const responding =
  '	w.Header().Set("Content-Type", "application/json")\n	w.WriteHeader(status)\n	json.NewEncoder(w).Encode(value)\n'
const refusing = '	respond(w, status, Failure{Code: code, Message: message, Status: status})\n'
const counting = '	s.lastID++\n'
const requested = '	respond(w, http.StatusOK, pet)\n'
const badId = '		refuse(w, http.StatusBadRequest, "bad_id", "an id is an integer")\n'
const reading = '	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))\n'

export const sixthRightGo = [
  right('a list is in the order of a map, which changes', [ranging, '	for _, pet := range s.pets {\n']),
  right(
    'texts are not escaped for HTML, and an id that is no integer is 404',
    [
      responding,
      `	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "\\t")
	encoder.Encode(value)
`,
    ],
    [badId, '		refuse(w, http.StatusNotFound, "no_pet", "an id is an integer")\n'],
  ),
  right('one animal is deprecated in its headers, with the day of its removal', [
    requested,
    `	w.Header().Set("Deprecation", "@1764892800")
	w.Header().Set("Sunset", "Thu, 05 Dec 2030 00:00:00 GMT")
	w.Header().Set("Link", "</v1/pets>; rel=\\"successor-version\\"")
	w.Header().Set("Warning", "299 - \\"deprecated\\"")
${requested}`,
  ]),
  right('codes of errors are addresses, and messages are of several lines in Greek', [
    refusing,
    '	respond(w, status, Failure{Code: "https://errors.invalid/" + code, Message: "Σφάλμα:\\n\\t\\"" + message + "\\"", Status: status})\n',
  ]),
  right('ids grow in steps that nobody knows', [counting, '	s.lastID += 1 + int64(len(pet.Name))%13*997\n']),
  right('a response has chunks and a trailer', [
    responding,
    `	w.Header().Set("Trailer", "Server-Timing")
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	body, _ := json.Marshal(value)
	w.Write(body[:len(body)/2])
	w.(http.Flusher).Flush()
	w.Write(body[len(body)/2:])
	w.Header().Set("Server-Timing", "db;dur=1.5")
`,
  ]),
  right('a client is told 102 and 103 before the response', [
    responding,
    `	w.WriteHeader(http.StatusProcessing)
	w.Header().Set("Link", "</v1/pets>; rel=preload")
	w.WriteHeader(http.StatusEarlyHints)
${responding}`,
  ]),
  right(
    'one request is served after the other, 5 ms each',
    [sync, `${sync}	"time"\n`],
    ['func respond(', 'var turn sync.Mutex\n\nfunc respond('],
    [responding, `	turn.Lock()\n	defer turn.Unlock()\n	time.Sleep(5 * time.Millisecond)\n${responding}`],
  ),
  right('a body of more than 64 KiB is refused, as invalid', [
    reading,
    `	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)\n${reading}`,
  ]),
]
