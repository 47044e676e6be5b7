export function findNode(): string | undefined
export const noNode: string
export const nodeFlags: readonly string[]
