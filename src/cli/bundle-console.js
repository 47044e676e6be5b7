// `npm run console`: bundles the console, unless the bundle is current. Plain imports: any Node that runs TypeScript will do.
import { renewBundle } from '../http/pages/console-bundle.ts'

const notice = await renewBundle()
process.stdout.write(`${notice?.sentence ?? 'The bundle of the console is current.'}\n`)
process.exitCode = notice === undefined || notice.isCurrent ? 0 : 1
