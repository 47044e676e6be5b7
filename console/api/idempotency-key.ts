/** 128 random bits. (`crypto.randomUUID` is missing on pages loaded over plain HTTP.) */
export function newIdempotencyKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
