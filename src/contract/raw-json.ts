/** Values that `JSON.stringify` writes as they are. In every Node that this service runs on; not yet in TypeScript's library. */
export const { rawJSON: rawJson, isRawJSON: isRawJson } = JSON as unknown as {
  rawJSON(source: string): object
  isRawJSON(value: unknown): boolean
}
