"""A pet store of the contract in Python: http.server, a thread for each connection, animals in a dict."""

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

KEY = os.environ["SHOP_KEY"]
STATUSES = ("available", "pending", "sold")


class Refusal(Exception):
    def __init__(self, status, code, message):
        super().__init__(message)
        self.status = status
        self.body = {"code": code, "message": message, "status": status}


class Store:
    def __init__(self):
        self.lock = threading.Lock()
        self.pets = {}
        self.last_id = 0

    def add(self, new_pet):
        with self.lock:
            self.last_id += 1
            pet = {"id": self.last_id, **new_pet}
            self.pets[pet["id"]] = pet
        return pet

    def find(self, pet_id):
        return self.pets.get(pet_id)

    def page(self, limit, status):
        with self.lock:
            pets = list(self.pets.values())
        if status is not None:
            pets = [pet for pet in pets if pet.get("status") == status]
        return pets[:limit]


def read_new_pet(raw):
    if not raw:
        raise Refusal(400, "body_missing", "The body is missing.")
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        raise Refusal(400, "not_json", "The body is not JSON.")
    if not isinstance(body, dict):
        raise Refusal(400, "not_an_object", "The body is not an object.")
    for field in ("name", "categoryId"):
        if field not in body:
            raise Refusal(400, "field_missing", f"{field} is missing.")
    name = body["name"]
    if not isinstance(name, str):
        raise Refusal(400, "bad_name", "name is not a string.")
    category = body["categoryId"]
    if not isinstance(category, int) or isinstance(category, bool):
        raise Refusal(400, "bad_category", "categoryId is not an integer.")
    if not -(2**63) <= category < 2**63:
        raise Refusal(400, "category_range", "categoryId is not an int64.")
    new_pet = {"name": name, "categoryId": category}
    if "status" in body:
        if body["status"] not in STATUSES:
            raise Refusal(400, "bad_status", "status is none of available, pending and sold.")
        new_pet["status"] = body["status"]
    return new_pet


def read_query(query):
    values = parse_qs(query, keep_blank_values=True)
    limit, status = 20, None
    if "limit" in values:
        text = values["limit"][0]
        if not text.isdecimal() or not 1 <= int(text) <= 100:
            raise Refusal(400, "bad_limit", "limit is a number from 1 to 100.")
        limit = int(text)
    if "status" in values:
        status = values["status"][0]
        if status not in STATUSES:
            raise Refusal(400, "bad_status", "status is none of available, pending and sold.")
    return limit, status


store = Store()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # One packet for the headers and the body.
    disable_nagle_algorithm = True

    def handle_request(self):
        try:
            self.raw_body = self.read_body()
            self.check_key()
            self.route(urlsplit(self.path))
        except Refusal as refusal:
            self.answer(refusal.status, refusal.body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_request

    def read_body(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def check_key(self):
        header = self.headers.get("Authorization")
        if header is None:
            raise Refusal(401, "no_key", "Send an API key.")
        scheme, _, key = header.partition(" ")
        if scheme.lower() != "bearer":
            raise Refusal(401, "no_bearer", "Send the API key as a bearer token.")
        if key != KEY:
            raise Refusal(401, "wrong_key", "This API key is not valid.")

    def route(self, address):
        if address.path == "/v1/pets":
            if self.command == "GET":
                return self.list_pets(address.query)
            if self.command == "POST":
                return self.create_pet()
            raise Refusal(405, "no_such_method", "Use GET or POST.")
        if address.path.startswith("/v1/pets/"):
            if self.command != "GET":
                raise Refusal(405, "no_such_method", "Use GET.")
            return self.get_pet(address.path[len("/v1/pets/"):])
        raise Refusal(404, "no_such_path", "There is nothing here.")

    def list_pets(self, query):
        limit, status = read_query(query)
        pets = store.page(limit, status)
        self.answer(200, pets)

    def create_pet(self):
        new_pet = read_new_pet(self.raw_body)
        pet = store.add(new_pet)
        self.answer(201, pet)

    def get_pet(self, text):
        digits = text[1:] if text.startswith("-") else text
        if not (digits.isascii() and digits.isdecimal()):
            raise Refusal(404, "no_such_pet", "An id is an integer.")
        pet = store.find(int(text))
        if pet is None:
            raise Refusal(404, "no_such_pet", "No animal has this id.")
        self.answer(200, pet)

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


server = Server(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
