import { useEffect } from 'preact/hooks'
import { currentRoute, go } from './route.ts'
import { createSessionStore, useStore } from './store.ts'
import type { View } from './views.ts'

/** What a view can begin when it is asked to from elsewhere. */
type Task = 'import' | 'export' | 'invite' | 'order'

const asked = createSessionStore<{ view: View; task: Task } | undefined>(undefined)

/** Goes to a view, which begins the task. The filters of the current view stay. */
export function begin(view: View, task: Task): void {
  asked.set({ view, task })
  if (currentRoute().view !== view) go(view)
}

/** Calls `act` once when a task of this view is asked for. */
export function useTask(view: View, task: Task, act: () => void): void {
  const { view: inView, task: wanted } = useStore(asked) ?? {}
  const isAsked = inView === view && wanted === task
  useEffect(() => {
    if (!isAsked) return
    asked.set(undefined)
    act()
  }, [isAsked])
}
