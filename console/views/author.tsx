import type { ComponentChildren } from 'preact'
import type { ShopEvent } from '../../client/src/index.ts'
import { shortName } from '../components/format.ts'

/** Who made the change, by the name of the key; nothing for events of earlier versions. */
export function Author({ event: { keyname } }: { event: ShopEvent }): ComponentChildren {
  return keyname === undefined ? null : (
    <span>
      by <bdi>{shortName(keyname)}</bdi>,
    </span>
  )
}
