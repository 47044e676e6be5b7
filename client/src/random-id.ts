/** 128 random bits as text. (`crypto.randomUUID` is missing on pages loaded over plain HTTP.) */
export function randomId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
