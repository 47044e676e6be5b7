import type { Route } from '../exchange.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { fileReply } from '../replies/static-file.ts'
import { openRoute } from '../route.ts'
import { protections } from './console.ts'
import { loadConsole } from './console-files.ts'
import { guidePages } from '../replies/guide-pages.ts'
import { trailingSlashRoute } from './trailing-slash.ts'

/** The guides as pages, which the bundle of the console contains. They need no key: they contain no animals. */
export function guideRoutes(): Route[] {
  return guidePages.flatMap(({ path }) => [
    openRoute('GET', path, async (exchange) => {
      const file = (await loadConsole())?.guides.get(path)
      if (file === undefined) throw new PetStoreError('not_found', 'The guides are not bundled with this service.')
      return fileReply(exchange, file, { headers: protections })
    }),
    trailingSlashRoute(path),
  ])
}
