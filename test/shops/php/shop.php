<?php
// A pet store of the contract in PHP: the router of `php -S`, several worker processes, animals in a file under a lock.
// Ids are multiples of ten, an unknown status finds nothing, and a limit out of range is brought into it.

declare(strict_types=1);

ini_set('display_errors', '0');
const STATUSES = ['available', 'pending', 'sold'];

final class Refusal extends Exception
{
    public function __construct(public int $status, public string $reason, string $message)
    {
        parent::__construct($message);
    }
}

final class Store
{
    private $file;

    public function __construct(int $lock)
    {
        $this->file = fopen(getenv('SHOP_FILE'), 'c+');
        flock($this->file, $lock);
    }

    public function load(): array
    {
        rewind($this->file);
        return json_decode(stream_get_contents($this->file) ?: '[]', true);
    }

    public function save(array $pets): void
    {
        $text = json_encode($pets);
        rewind($this->file);
        ftruncate($this->file, 0);
        fwrite($this->file, $text);
        fflush($this->file);
    }
}

function check_key(): void
{
    $header = $_SERVER['HTTP_AUTHORIZATION'] ?? '';
    if ($header === '') {
        throw new Refusal(401, 'KEY_MISSING', 'The API key is missing.');
    }
    if (!preg_match('/^Bearer +(\S+)$/i', $header, $parts)) {
        throw new Refusal(401, 'KEY_MALFORMED', 'The header is not "Bearer" and a key.');
    }
    if (!hash_equals(getenv('SHOP_KEY'), $parts[1])) {
        throw new Refusal(401, 'KEY_INVALID', 'The API key is not valid.');
    }
}

function read_new_pet(): array
{
    $body = file_get_contents('php://input');
    $given = json_decode($body);
    if (json_last_error() !== JSON_ERROR_NONE) {
        throw new Refusal(400, 'NOT_JSON', 'The body is not JSON.');
    }
    if (!is_object($given)) {
        throw new Refusal(400, 'NOT_AN_OBJECT', 'The body is not an object.');
    }
    $errors = [];
    if (!isset($given->name)) {
        $errors[] = 'name is missing';
    } elseif (!is_string($given->name)) {
        $errors[] = 'name is not a string';
    }
    if (!isset($given->categoryId)) {
        $errors[] = 'categoryId is missing';
    } elseif (!is_int($given->categoryId)) {
        $errors[] = 'categoryId is not an int64';
    }
    if (property_exists($given, 'status') && !in_array($given->status, STATUSES, true)) {
        $errors[] = 'status is not one of ' . implode(', ', STATUSES);
    }
    if ($errors !== []) {
        throw new Refusal(400, 'INVALID', implode('; ', $errors));
    }
    $pet = ['name' => $given->name, 'categoryId' => $given->categoryId];
    if (isset($given->status)) {
        $pet['status'] = $given->status;
    }
    return $pet;
}

function create_pet(): never
{
    $fields = read_new_pet();
    $store = new Store(LOCK_EX);
    $pets = $store->load();
    $pet = ['id' => 10 * (count($pets) + 1)] + $fields;
    $pets[] = $pet;
    $store->save($pets);
    answer(201, $pet);
}

function list_pets(): never
{
    $limit = max(1, min(100, (int) ($_GET['limit'] ?? 20)));
    $pets = (new Store(LOCK_SH))->load();
    if (isset($_GET['status'])) {
        $pets = array_filter($pets, fn ($pet) => ($pet['status'] ?? null) === $_GET['status']);
    }
    $pets = array_slice(array_values($pets), 0, $limit);
    answer(200, $pets);
}

function get_pet(string $id): never
{
    foreach ((new Store(LOCK_SH))->load() as $pet) {
        if ((string) $pet['id'] === $id) {
            answer(200, $pet);
        }
    }
    throw new Refusal(404, 'NOT_FOUND', 'There is no animal with this id.');
}

function answer(int $status, mixed $body): never
{
    http_response_code($status);
    header('Content-Type: application/json');
    echo json_encode($body, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
    exit;
}

function route(string $method, string $path): never
{
    if ($path === '/v1/pets') {
        match ($method) {
            'GET' => list_pets(),
            'POST' => create_pet(),
            default => throw new Refusal(405, 'METHOD', 'Use GET or POST.'),
        };
    }
    if ($method === 'GET' && preg_match('#^/v1/pets/([^/]+)$#', $path, $parts)) {
        get_pet($parts[1]);
    }
    throw new Refusal(404, 'NOT_FOUND', 'There is nothing at this address.');
}

try {
    check_key();
    route($_SERVER['REQUEST_METHOD'], parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) ?: '/');
} catch (Refusal $refusal) {
    answer($refusal->status, [
        'code' => $refusal->reason,
        'message' => $refusal->getMessage(),
        'status' => $refusal->status,
    ]);
}
