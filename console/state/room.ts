import { useEffect, useState } from 'preact/hooks'

/** style/panes.css has the same. */
const query = '(width >= 100rem)'

/** Whether a list and one of its items fit beside each other. */
export function hasRoomForPanes(): boolean {
  return matchMedia(query).matches
}

/** The same, and it follows the size of the window. */
export function useRoomForPanes(): boolean {
  const [hasRoom, setRoom] = useState(hasRoomForPanes)
  useEffect(() => {
    const list = matchMedia(query)
    const update = () => setRoom(list.matches)
    list.addEventListener('change', update)
    return () => list.removeEventListener('change', update)
  }, [])
  return hasRoom
}
