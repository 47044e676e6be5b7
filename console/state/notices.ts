import type { ComponentChildren } from 'preact'
import { createSessionStore, useStore } from './store.ts'

/** What was done is shown elsewhere, so its notice may disappear. That something failed may be shown nowhere else. */
const shownForMs = 8_000
/** Of what was done. */
const maxNotices = 3

/** Leads somewhere, or does something; once. */
export type NoticeLink = { text: string } & ({ href: string } | { act: () => unknown })

export interface Notice {
  number: number
  text: ComponentChildren
  link: NoticeLink | undefined
  /** Of a failure: what it is about, such as `order 7`. A failure is shown until it is closed. */
  failed?: string
}

const notices = createSessionStore<readonly Notice[]>([])
let count = 0

export function useNotices(): readonly Notice[] {
  return useStore(notices)
}

/** Announces a finished action. Shown for a while and read out. Names in `text` are in `<bdi>`. */
export function notify(text: ComponentChildren, link?: NoticeLink): void {
  const notice = { number: ++count, text, link }
  const before = notices.get()
  const done = new Set(before.filter(({ failed }) => failed === undefined).slice(1 - maxNotices))
  notices.set([...before.filter((one) => one.failed !== undefined || done.has(one)), notice])
  dismissLater(notice.number)
}

/** Announces that something was not done, in place of an earlier failure of the same subject. */
export function notifyFailure(failed: string, text: ComponentChildren, link?: NoticeLink): void {
  dismissFailure(failed)
  notices.set([...notices.get(), { number: ++count, text, link, failed }])
}

/** For a subject that is tried again. */
export function dismissFailure(subject: string): void {
  if (notices.get().some(({ failed }) => failed === subject))
    notices.set(notices.get().filter(({ failed }) => failed !== subject))
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
  const isFailure = notices.get().some((notice) => notice.number === number && notice.failed !== undefined)
  if (held.delete(number) && !isFailure) dismissLater(number)
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
