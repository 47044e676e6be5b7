/** The file cannot be imported. The message says why, as a sentence. */
export class InvalidFile extends Error {}
