import type { ComponentChildren } from 'preact'
import { createSessionStore, useStore } from './store.ts'

/** Notices contain nothing that is not shown elsewhere, so they may disappear. */
const shownForMs = 8_000
const maxNotices = 3

/** Leads somewhere, or does something; once. */
export type NoticeLink = { text: string } & ({ href: string } | { act: () => unknown })

export interface Notice {
  number: number
  text: ComponentChildren
  link: NoticeLink | undefined
}

const notices = createSessionStore<readonly Notice[]>([])
let count = 0

export function useNotices(): readonly Notice[] {
  return useStore(notices)
}

/** Announces a finished action. Shown for a while and read out. Names in `text` are in `<bdi>`. */
export function notify(text: ComponentChildren, link?: NoticeLink): void {
  const notice = { number: ++count, text, link }
  notices.set([...notices.get().slice(1 - maxNotices), notice])
  dismissLater(notice.number)
}

function dismissLater(number: number): void {
  setTimeout(() => (held.has(number) ? undefined : dismiss(number)), shownForMs)
}

/** Numbers of notices that have the focus: whoever is about to use one needs no hurry. */
const held = new Set<number>()

export function holdNotice(number: number): void {
  held.add(number)
}

/** Its time begins again. */
export function releaseNotice(number: number): void {
  if (held.delete(number)) dismissLater(number)
}

/** Does the latest notice's Undo. Returns whether there was one. */
export function undoNoticed(): boolean {
  const latest = notices.get().findLast(({ link }) => link?.text === 'Undo')
  if (latest?.link === undefined || !('act' in latest.link)) return false
  dismiss(latest.number)
  void latest.link.act()
  return true
}

export function dismiss(number: number): void {
  notices.set(notices.get().filter((notice) => notice.number !== number))
}
