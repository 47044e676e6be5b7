import { columns, findBun } from '../columns.ts'
import { firstLine } from '../machine.ts'
import { anyPage } from '../questions/any-page.ts'
import { byStatus } from '../questions/by-status.ts'
import { comeAndGo } from '../questions/come-and-go.ts'
import { create } from '../questions/create.ts'
import { createOnce } from '../questions/create-once.ts'
import { createOnTwoCores } from '../questions/create-on-two-cores.ts'
import { deepPage } from '../questions/deep-page.ts'
import { fifthWrites } from '../questions/fifth-writes.ts'
import { getOne } from '../questions/get-one.ts'
import { gzip } from '../questions/gzip.ts'
import { https } from '../questions/https.ts'
import { list } from '../questions/list.ts'
import { loopSteps } from '../questions/loop-steps.ts'
import { order } from '../questions/order.ts'
import { pageOf100 } from '../questions/page-of-100.ts'
import { search } from '../questions/search.ts'
import { readsWhileCreating } from '../questions/reads-while-creating.ts'
import { size } from '../questions/size.ts'
import { startUp } from '../questions/start-up.ts'
import { workers } from '../questions/two-workers.ts'
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
    pageOf100,
    getOne,
    search,
    comeAndGo,
    create,
    listWithLimits,
    createWithLimits,
    createOnce,
    createOnTwoCores,
    order,
    readsWhileCreating,
    fifthWrites,
    gzip,
    https,
    workers,
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
