import { checkAnimals } from './animals.ts'
import { checkRules, eventsByRequest, Feed } from './feed.ts'
import type { Anomaly, History } from './history.ts'
import { importChecker } from './imports.ts'
import { checkRevoked } from './keys.ts'
import { checkOneState } from './one-state.ts'
import { asFeedHasIt } from './other-answers.ts'
import { checkRegisters } from './registers.ts'
import { checkKeys, checkWrites } from './writes.ts'

/** Everything that is wrong with a history. Empty: there is one story that all answers fit. */
export function check(history: History): Anomaly[] {
  const sorted = history.calls.toSorted((a, b) => a.invoked - b.invoked)
  const calls = sorted.map(asFeedHasIt)
  const byRequest = eventsByRequest(history.feed)
  const { lagMs = 0 } = history
  const feed = new Feed(history.feed)
  const imports = importChecker(calls, feed)
  return [
    ...calls
      .filter(({ answer }) => answer?.status === 500)
      .map((call) => ({ rule: 'the service failed', calls: [call] })),
    ...checkRules(history.feed),
    ...checkAnimals(
      calls.filter(({ ask }) => lagMs === 0 || ask.kind !== 'get'),
      history.feed,
      byRequest,
    ),
    ...checkWrites(calls, byRequest),
    ...checkKeys(calls, byRequest),
    ...imports.checkUndone(byRequest),
    ...imports.checkListed(),
    ...checkRegisters({ ...history, calls: sorted }),
    ...checkRevoked(sorted),
    ...checkOneState(calls, feed, byRequest, imports, lagMs),
    ...checkTold(history),
    ...checkEnd(history),
  ]
}

/** Who follows the events gets each of them, in their order. */
function checkTold({ feed, told = [] }: History): Anomaly[] {
  return told.flatMap(({ who, events, mayRepeat }) => {
    const once = mayRepeat ? [...new Map(events.map((event) => [event.id, event])).values()] : events
    const wrong = feed.findIndex((event, index) => JSON.stringify(event) !== JSON.stringify(once[index]))
    if (wrong < 0 && once.length === feed.length) return []
    const at = wrong < 0 ? feed.length : wrong
    return [
      {
        rule: `${who} did not get the events of the feed: ${JSON.stringify({ wants: feed[at], got: once[at] })}`,
        calls: [],
      },
    ]
  })
}

function checkEnd({ feed, animals }: History): Anomaly[] {
  const replayed = [...new Feed(feed).last.animals.values()].toSorted((a, b) => a.id - b.id)
  return JSON.stringify(replayed) === JSON.stringify(animals)
    ? []
    : [
        {
          rule: `the animals at the end are not those of the feed: ${JSON.stringify({ replayed, animals }).slice(0, 2_000)}`,
          calls: [],
        },
      ]
}
