import type { ComponentChildren, VNode } from 'preact'
import type { Int64, ShopEvent } from '../../../client/src/index.ts'
import { shortName } from '../../components/format.ts'
import type { HistoryEntry } from '../../state/history.ts'
import { isSamePet } from '../../state/pets.ts'
import { hrefOfAnimal } from '../../state/route.ts'
import { OrderLink } from '../orders/order-link.tsx'
import { Steps } from './steps.tsx'

const petVerbs = {
  'petstore.pet.created': 'was added',
  'petstore.pet.updated': 'was changed',
  'petstore.pet.deleted': 'was deleted',
}

interface EventSentenceProps {
  entry: HistoryEntry
  /** The names of animals by the digits of their ids, for orders; null for a deleted one. */
  names: ReadonlyMap<string, string | null>
}

/** What happened, with links to the animal and the order. */
export function EventSentence({ entry: { event, before, after }, names }: EventSentenceProps): VNode {
  switch (event.type) {
    case 'petstore.pet.created':
    case 'petstore.pet.updated':
    case 'petstore.pet.deleted': {
      const { id, name } = event.data
      const isGone = event.type === 'petstore.pet.deleted'
      const isKnown = event.type === 'petstore.pet.updated' && before !== undefined && after !== undefined
      return (
        <>
          {isGone ? <bdi>{shortName(name)}</bdi> : <AnimalLink id={id} name={name} />}{' '}
          {isKnown && !isSamePet(before, after) ? (
            <span class="steps">
              <Steps before={before} after={after} />
            </span>
          ) : (
            petVerbs[event.type]
          )}
        </>
      )
    }
    default: {
      const { id, petId, status } = event.data
      return (
        <>
          <OrderLink id={id} /> for <AnimalLink id={petId} name={names.get(String(petId)) ?? `animal ${petId}`} /> was{' '}
          {status}
        </>
      )
    }
  }
}

function AnimalLink({ id, name }: { id: Int64; name: string }): VNode {
  return (
    <a href={hrefOfAnimal(id)}>
      <bdi>{shortName(name)}</bdi>
    </a>
  )
}

/** Who made the change, by the name of the key; nothing for events of earlier versions. */
export function Author({ event: { keyname } }: { event: ShopEvent }): ComponentChildren {
  return keyname === undefined ? null : (
    <span>
      by <bdi>{shortName(keyname)}</bdi>,
    </span>
  )
}
