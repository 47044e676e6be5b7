import { useLayoutEffect, useRef } from 'preact/hooks'
import { currentRoute } from './route.ts'

/** Another page of a list starts at its top; one that Back returns to, where it was left, as soon as it is there. */
export function useScrollPosition(page: string, isThere: boolean): void {
  const placed = useRef<string>(undefined)
  useLayoutEffect(() => {
    const { scrollTop } = currentRoute()
    if (placed.current === page || (scrollTop > 0 && !isThere)) return
    placed.current = page
    scrollTo(0, scrollTop)
  }, [page, isThere])
}
