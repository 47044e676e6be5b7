/** The storage cannot be opened or used as asked, in one sentence for the operator. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
}
