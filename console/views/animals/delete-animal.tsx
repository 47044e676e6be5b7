import type { VNode } from 'preact'
import type { Pet, WithEtag } from '../../../client/src/index.ts'
import { Button } from '../../components/button.tsx'
import { shortName } from '../../components/format.ts'
import { dropDraft } from '../../state/drafts.ts'
import { isPetChange, petIdOf } from '../../state/feed.ts'
import { postpone, useIsPending } from '../../state/pending.ts'
import { isSamePet, removePet } from '../../state/pets.ts'

/** What a deletion that waits is about. */
export function deletionOf(id: Pet['id']): string {
  return `delete animal ${id}`
}

/** Deletes the animal. It waits for an Undo, because it is final: a number is never used again. */
export function DeleteAnimal({ pet, onClose }: { pet: WithEtag<Pet>; onClose: () => void }): VNode {
  const isPending = useIsPending(deletionOf(pet.id))
  function remove(): void {
    postponeDeletion(pet)
    onClose()
  }
  return (
    <section class="sheet-section">
      <Button className="button plain danger-text" isDisabled={isPending} onClick={remove}>
        {isPending ? 'It is about to be deleted' : 'Delete this animal'}
      </Button>
    </section>
  )
}

function postponeDeletion(pet: WithEtag<Pet>): void {
  const name = <bdi>{shortName(pet.name)}</bdi>
  postpone({
    subject: deletionOf(pet.id),
    text: <>Deleting {name} for good</>,
    done: <>{name} was deleted</>,
    undone: <>{name} stays</>,
    notDone: <>{name} was not deleted</>,
    async send(client) {
      await removePet(pet, client)
      dropDraft(`pet-${pet.id}`)
    },
    obsoleteBy(change) {
      if (petIdOf(change) !== String(pet.id)) return undefined
      if (!isPetChange(change))
        return change.type === 'petstore.order.placed' ? <>{name} was ordered, so it stays</> : undefined
      if (change.type === 'petstore.pet.deleted') return <>Somebody else deleted {name} meanwhile</>
      return isSamePet(change.data, pet) ? undefined : <>{name} was changed meanwhile, so it stays</>
    },
  })
}
