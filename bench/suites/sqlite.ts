import { columns, findBun } from '../columns.ts'
import { firstLine } from '../machine.ts'
import { anyPage } from '../questions/any-page.ts'
import { byStatus } from '../questions/by-status.ts'
import { create } from '../questions/create.ts'
import { createOnce } from '../questions/create-once.ts'
import { createOnTwoCores } from '../questions/create-on-two-cores.ts'
import { deepPage } from '../questions/deep-page.ts'
import { getOne } from '../questions/get-one.ts'
import { list } from '../questions/list.ts'
import { loopSteps } from '../questions/loop-steps.ts'
import { order } from '../questions/order.ts'
import { search } from '../questions/search.ts'
import { readsWhileCreating } from '../questions/reads-while-creating.ts'
import { size } from '../questions/size.ts'
import { startUp } from '../questions/start-up.ts'
import { webhooks } from '../questions/webhooks.ts'
import { createWithLimits, listWithLimits } from '../questions/with-limits.ts'
import { findNginx } from '../servers/nginx.ts'
import type { Suite } from './suite.ts'

/** The service as it comes, on SQLite, beside what one would use in its place. */
export const sqliteSuite: Suite = {
  title: 'What the service costs, beside what one would use in its place',
  columns,
  questions: [
    list,
    byStatus,
    deepPage,
    anyPage,
    getOne,
    search,
    create,
    listWithLimits,
    createWithLimits,
    createOnce,
    createOnTwoCores,
    order,
    readsWhileCreating,
    size,
    loopSteps,
    webhooks,
    startUp,
  ],
  base: { name: 'bare', title: 'bare node:http', short: 'bare' },
  goals: () => [],
  software: () => [
    `SQLite ${process.versions['sqlite'] ?? '?'}`,
    `Bun ${firstLine(findBun(), ['--version'])}`,
    findNginx() === undefined ? 'no nginx' : firstLine(findNginx() as string, ['-v']).replace('nginx version: ', ''),
  ],
  placement: ({ server, load }) => `Servers on core ${server}, load on core ${load}`,
}
