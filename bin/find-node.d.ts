export function findNode(): string | undefined
export function packagedNode(): string | undefined
export const noNode: string
export const nodeFlags: readonly string[]
export const nodeEnvironment: Readonly<Record<string, string>>
export const nodePackages: Readonly<Record<string, string>>
