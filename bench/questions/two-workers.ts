import { ours } from '../columns.ts'
import type { Column } from '../dialect.ts'
import { apart } from './apart.ts'
import { coresOfTwo } from './create-on-two-cores.ts'
import { mixing } from './fifth-writes.ts'

const compared = new Set(['ours', 'bare', 'bare-headers', 'hono-bun'])

const twoWorkers: Column = {
  ...ours,
  name: 'ours-2',
  title: 'ours, 2 workers',
  command(ground) {
    const command = ours.command(ground)
    return { ...command, args: [...command.args, '--workers', '2'] }
  },
}

export const workers = apart(
  {
    ...mixing,
    name: 'workers-2',
    title: 'any page, every fifth request a create, 2 workers',
    meaning:
      'The same with a second core for the servers: the third of the machine, or that of the load where there are two. ' +
      'Ours with `--workers 2` beside ours with one; the others have one process.',
  },
  {
    variantsOf(column) {
      if (!compared.has(column.name)) return []
      return column.name === ours.name ? [twoWorkers, column] : [column]
    },
    cores: coresOfTwo,
  },
)
