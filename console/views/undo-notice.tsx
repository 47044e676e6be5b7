import type { Pet, WithEtag } from '../../client/src/index.ts'
import { errorText } from '../api/error-text.ts'
import { shortName } from '../components/format.ts'
import { undoChange } from '../state/history.ts'
import { notify, notifyFailure } from '../state/notices.ts'

/** Announces a saved change and offers to undo it, as long as nobody changes the animal. */
export function notifySaved(before: Pet, after: WithEtag<Pet>): void {
  const name = <bdi>{shortName(after.name)}</bdi>
  const nameBefore = <bdi>{shortName(before.name)}</bdi>
  const subject = `undo of animal ${after.id}`
  async function undo(): Promise<void> {
    try {
      const isUndone = await undoChange(after, before)
      if (isUndone) notify(<>{nameBefore} is as it was before</>)
      else notifyFailure(subject, <>Somebody changed {name} since: nothing was undone</>)
    } catch (error) {
      notifyFailure(subject, <>Nothing was undone. {errorText(error)}</>)
    }
  }
  notify(<>{name} was saved</>, { text: 'Undo', act: undo })
}
