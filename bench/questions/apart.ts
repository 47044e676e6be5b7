import { join } from 'node:path'
import type { Column } from '../dialect.ts'
import { type Bench, heatUp } from '../measure.ts'
import { keepOn } from '../processes.ts'
import type { Section } from '../report.ts'
import { fillColumn, makeShop, type Server, startServer } from '../servers.ts'
import type { Question } from './question.ts'
import { type Throughput, throughput } from './throughput.ts'

interface Apart {
  /** How a column is started for this row; none for one that cannot do it. */
  variantsOf(column: Column): readonly Column[]
  /** Cores of the servers, if not the usual one. */
  cores?(bench: Bench): number[]
}

/** A row whose servers are started another way than for the other rows, in a shop of their own. */
export function apart(row: Throughput, { variantsOf, cores }: Apart): Question {
  const question = throughput(row)
  return { ...question, startsServers: true, answer }

  async function answer(bench: Bench): Promise<Section> {
    const shop = makeShop(join(bench.shop.folder, row.name), bench.shop.animals)
    const servers: Server[] = []
    try {
      for (const column of bench.columns.flatMap(variantsOf)) {
        bench.say(`filling and starting ${column.title}`)
        await fillColumn(column, shop)
        const server = await startServer(column, shop, bench.options.cores.server)
        servers.push(server)
        if (cores !== undefined) keepOn(cores(bench), server.pid)
        await heatUp(bench, server, shop)
      }
      return await question.answer({ ...bench, shop, servers })
    } finally {
      for (const server of servers) await server.stop()
    }
  }
}
