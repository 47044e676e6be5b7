import type { Storage } from '../../src/inventory/storage.ts'

/** A storage whose lists of pets wait for `answer`. `asked` resolves with the first of them. */
export function holdLists(storage: Storage): { storage: Storage; asked: Promise<void>; answer: () => void } {
  const asked = Promise.withResolvers<void>()
  const mayAnswer = Promise.withResolvers<void>()
  const pets: Storage['pets'] = {
    ...storage.pets,
    async list(...question) {
      asked.resolve()
      await mayAnswer.promise
      return storage.pets.list(...question)
    },
  }
  return { storage: { ...storage, pets }, asked: asked.promise, answer: mayAnswer.resolve }
}
