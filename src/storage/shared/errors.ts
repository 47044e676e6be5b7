/** The storage cannot be opened or used. The message is one sentence for the operator. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
}
