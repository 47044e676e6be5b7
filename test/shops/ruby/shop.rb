# A pet store of the contract in Ruby: a socket, a thread for each connection, HTTP by hand, animals in an array.
# Ids have gaps, the newest animal comes first, an impossible limit is clamped, and each connection serves one request.

require 'json'
require 'socket'
require 'uri'

KEY = ENV.fetch('SHOP_KEY')
STATUSES = %w[available pending sold].freeze
INT64 = (-(2**63)..(2**63 - 1)).freeze
REASONS = { 200 => 'OK', 201 => 'Created', 400 => 'Bad Request', 401 => 'Unauthorized', 404 => 'Not Found',
            405 => 'Method Not Allowed', 500 => 'Internal Server Error' }.freeze

class Refusal < StandardError
  attr_reader :status, :code

  def initialize(status, code, message)
    super(message)
    @status = status
    @code = code
  end
end

Request = Struct.new(:method, :path, :query, :headers, :body)

class Shop
  def initialize
    @lock = Mutex.new
    @pets = []
    @next_id = 1001
  end

  def create(fields)
    @lock.synchronize do
      pet = { 'id' => @next_id }.merge(fields)
      @next_id += 7
      @pets.unshift(pet)
      pet
    end
  end

  def find(id)
    @lock.synchronize { @pets.find { |pet| pet['id'] == id } }
  end

  def list(limit, status)
    found = @lock.synchronize { @pets.dup }
    found = found.select { |pet| pet['status'] == status } if status
    found.first(limit)
  end
end

SHOP = Shop.new

def authorize(request)
  header = request.headers['authorization'].to_s
  raise Refusal.new(401, 'unauthorized', 'An API key is needed.') if header.empty?

  key = header[/\ABearer (.+)\z/, 1]
  raise Refusal.new(401, 'unauthorized', 'The API key is not valid.') unless key == KEY
end

def new_pet(body)
  raise Refusal.new(400, 'invalid', 'This is not UTF-8.') unless body.valid_encoding?
  raise Refusal.new(400, 'invalid', 'There is no body.') if body.strip.empty?

  begin
    given = JSON.parse(body)
  rescue JSON::ParserError
    raise Refusal.new(400, 'invalid', 'This is not JSON.')
  end
  raise Refusal.new(400, 'invalid', 'This is not an object.') unless given.is_a?(Hash)
  raise Refusal.new(400, 'invalid', 'name is a string.') unless given['name'].is_a?(String)
  raise Refusal.new(400, 'invalid', 'name is not Unicode.') unless given['name'].valid_encoding?
  raise Refusal.new(400, 'invalid', 'categoryId is needed.') unless given.key?('categoryId')
  raise Refusal.new(400, 'invalid', 'categoryId is an integer.') unless given['categoryId'].is_a?(Integer)
  raise Refusal.new(400, 'invalid', 'categoryId is an int64.') unless INT64.cover?(given['categoryId'])

  fields = { 'name' => given['name'], 'categoryId' => given['categoryId'] }
  if given.key?('status')
    raise Refusal.new(400, 'invalid', 'status is unknown.') unless STATUSES.include?(given['status'])

    fields['status'] = given['status']
  end
  fields
end

def list_pets(request)
  query = URI.decode_www_form(request.query).to_h
  limit = query.key?('limit') ? query['limit'].to_i.clamp(1, 100) : 20
  pets = SHOP.list(limit, query['status'])
  [200, pets]
end

def create_pet(request)
  fields = new_pet(request.body)
  pet = SHOP.create(fields)
  [201, pet]
end

def get_pet(text)
  raise Refusal.new(404, 'not_found', 'An id is an integer.') unless text.match?(/\A-?\d+\z/)

  pet = SHOP.find(text.to_i)
  raise Refusal.new(404, 'not_found', 'There is no such animal.') unless pet

  [200, pet]
end

def respond(request)
  authorize(request)
  case [request.method, request.path]
  in ['GET', '/v1/pets'] then list_pets(request)
  in ['POST', '/v1/pets'] then create_pet(request)
  in ['GET', %r{\A/v1/pets/[^/]+\z}] then get_pet(request.path.delete_prefix('/v1/pets/'))
  in [_, '/v1/pets'] then raise Refusal.new(405, 'no_method', 'Only GET and POST.')
  else raise Refusal.new(404, 'not_found', 'There is nothing here.')
  end
rescue Refusal => e
  [e.status, { code: e.code, message: e.message, status: e.status }]
rescue ArgumentError => e
  [400, { code: 'invalid', message: e.message, status: 400 }]
end

def read_request(socket)
  line = socket.gets("\r\n", chomp: true) or return
  method, target, = line.split
  headers = {}
  while (line = socket.gets("\r\n", chomp: true)) && !line.empty?
    name, value = line.split(':', 2)
    headers[name.downcase] = value.strip
  end
  socket.write("HTTP/1.1 100 Continue\r\n\r\n") if headers['expect'] == '100-continue'
  path, query = target.split('?', 2)
  Request.new(method, path, query.to_s, headers, read_body(socket, headers).force_encoding('UTF-8'))
end

def read_body(socket, headers)
  return socket.read(headers.fetch('content-length', '0').to_i).to_s unless headers['transfer-encoding'] == 'chunked'

  body = +''
  while (size = socket.gets("\r\n").to_i(16)).positive?
    body << socket.read(size)
    socket.read(2)
  end
  socket.gets("\r\n")
  body
end

def write_response(socket, status, value)
  body = JSON.generate(value)
  socket.write("HTTP/1.1 #{status} #{REASONS.fetch(status, 'Other')}\r\n" \
               "Content-Type: application/json; charset=utf-8\r\n" \
               "Content-Length: #{body.bytesize}\r\n" \
               "Connection: close\r\n\r\n#{body}")
end

def serve(socket)
  request = read_request(socket)
  return unless request

  status, value = respond(request)
  write_response(socket, status, value)
rescue SystemCallError, IOError
  nil # The client is gone.
ensure
  socket.close
end

server = TCPServer.new('127.0.0.1', 0)
server.listen(128)
puts server.addr[1]
$stdout.flush
loop { Thread.new(server.accept) { |socket| serve(socket) } }
