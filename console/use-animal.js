import { followFeed } from './feed.js'
import { openOrderFor } from './orders.js'
import { readPet } from './pets.js'
import { useCallback, useEffect, useState } from './preact.js'
import { useMay } from './session.js'

/** One animal as it is now: `seen` is it with its validator. Read again when somebody changes it. */
export function useAnimal(id) {
  const may = useMay()
  const [state, setState] = useState({})

  const reload = useCallback(async () => {
    try {
      const [seen, openOrder] = await Promise.all([readPet(id), may('listOrders') ? openOrderFor(id) : undefined])
      setState(seen === undefined ? { isMissing: true } : { seen, openOrder })
      return seen
    } catch (problem) {
      setState((before) => ({ ...before, problem }))
      return undefined
    }
  }, [id])

  useEffect(() => {
    void reload()
    return followFeed((event) => {
      if (event === undefined || concerns(event, id)) void reload()
    })
  }, [id])

  return { ...state, reload }
}

function concerns({ type, data }, id) {
  return String(type.startsWith('petstore.order.') ? data.petId : data.id) === String(id)
}
