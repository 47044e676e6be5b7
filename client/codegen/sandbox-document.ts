import { openApiDocument } from '../../src/contract/document/openapi.ts'
import { sandboxOperations } from '../../src/sandbox/operations.ts'
import type { Document } from './generate.ts'

/** The OpenAPI document that a sandbox serves. */
export function sandboxDocument(): Document {
  return openApiDocument({ more: sandboxOperations }) as unknown as Document
}
