// A pet store of the contract in Go: net/http, animals in a map. Ids begin at 100001; the newest animal comes first.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Pet is an animal as it is returned. A nil status is left out.
type Pet struct {
	ID         int64   `json:"id"`
	Name       string  `json:"name"`
	CategoryID int64   `json:"categoryId"`
	Status     *string `json:"status,omitempty"`
}

// Failure is the Error of the contract.
type Failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Status  int    `json:"status"`
}

type shop struct {
	key    string
	mu     sync.RWMutex
	pets   map[int64]Pet
	lastID int64
}

func (s *shop) add(pet Pet) Pet {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastID++
	pet.ID = s.lastID
	s.pets[pet.ID] = pet
	return pet
}

func (s *shop) find(id int64) (Pet, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	pet, ok := s.pets[id]
	return pet, ok
}

func (s *shop) list(limit int, status string) []Pet {
	s.mu.RLock()
	defer s.mu.RUnlock()
	pets := []Pet{}
	for id := s.lastID; id > 100000; id-- {
		pet, ok := s.pets[id]
		if !ok {
			continue
		}
		if status != "" && (pet.Status == nil || *pet.Status != status) {
			continue
		}
		if len(pets) == limit {
			break
		}
		pets = append(pets, pet)
	}
	return pets
}

func isStatus(text string) bool {
	return text == "available" || text == "pending" || text == "sold"
}

func parsePet(body []byte) (Pet, error) {
	var pet Pet
	// Into a map: a struct would take "NAME" for name.
	var fields map[string]json.RawMessage
	if !utf8.Valid(body) || json.Unmarshal(body, &fields) != nil || fields == nil {
		return pet, errors.New("the body is not a JSON object")
	}
	var name *string
	if json.Unmarshal(fields["name"], &name) != nil || name == nil {
		return pet, errors.New("name must be a string")
	}
	var category *int64
	if json.Unmarshal(fields["categoryId"], &category) != nil || category == nil {
		return pet, errors.New("categoryId must be an int64")
	}
	pet.Name = *name
	pet.CategoryID = *category
	if raw, given := fields["status"]; given {
		var status *string
		if json.Unmarshal(raw, &status) != nil || status == nil || !isStatus(*status) {
			return pet, errors.New("status must be available, pending or sold")
		}
		pet.Status = status
	}
	return pet, nil
}

func respond(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(value)
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	respond(w, status, Failure{Code: code, Message: message, Status: status})
}

// withKey calls the handler if the request has the key.
func (s *shop) withKey(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		header := r.Header.Get("Authorization")
		if header == "" {
			refuse(w, http.StatusUnauthorized, "missing_key", "no API key")
			return
		}
		token := strings.TrimPrefix(header, "Bearer ")
		if token == header || token != s.key {
			refuse(w, http.StatusUnauthorized, "invalid_key", "invalid API key")
			return
		}
		next(w, r)
	}
}

func (s *shop) servePets(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
		s.listPets(w, r)
	case http.MethodPost:
		s.createPet(w, r)
	default:
		refuse(w, http.StatusMethodNotAllowed, "method_not_allowed", "use GET or POST")
	}
}

func (s *shop) listPets(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	limit := 20
	if query.Has("limit") {
		number, err := strconv.Atoi(query.Get("limit"))
		if err != nil || number < 1 || number > 100 {
			refuse(w, http.StatusUnprocessableEntity, "bad_limit", "limit must be 1 to 100")
			return
		}
		limit = number
	}
	status := query.Get("status")
	if query.Has("status") && !isStatus(status) {
		refuse(w, http.StatusUnprocessableEntity, "bad_status", "status must be available, pending or sold")
		return
	}
	respond(w, http.StatusOK, s.list(limit, status))
}

func (s *shop) createPet(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		refuse(w, http.StatusBadRequest, "unreadable", "the body could not be read")
		return
	}
	pet, err := parsePet(body)
	if err != nil {
		refuse(w, http.StatusBadRequest, "bad_pet", err.Error())
		return
	}
	pet = s.add(pet)
	respond(w, http.StatusCreated, pet)
}

func (s *shop) getPet(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		refuse(w, http.StatusMethodNotAllowed, "method_not_allowed", "use GET")
		return
	}
	id, err := strconv.ParseInt(strings.TrimPrefix(r.URL.Path, "/v1/pets/"), 10, 64)
	if err != nil {
		refuse(w, http.StatusBadRequest, "bad_id", "an id is an integer")
		return
	}
	pet, ok := s.find(id)
	if !ok {
		refuse(w, http.StatusNotFound, "no_pet", fmt.Sprintf("no animal has the id %d", id))
		return
	}
	respond(w, http.StatusOK, pet)
}

func main() {
	s := &shop{key: os.Getenv("SHOP_KEY"), pets: map[int64]Pet{}, lastID: 100000}
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/pets", s.withKey(s.servePets))
	mux.HandleFunc("/v1/pets/", s.withKey(s.getPet))
	mux.HandleFunc("/", s.withKey(func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "no_path", "nothing is here")
	}))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, mux))
}
