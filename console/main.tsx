import { startConsole } from './views/start.tsx'

await startConsole()
