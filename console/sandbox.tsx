import { keyOfCode } from './state/shop-name.ts'
import { ChooseShop } from './views/sandbox/choose-shop.tsx'
import { SandboxView } from './views/sandbox/sandbox-view.tsx'
import { startConsole } from './views/start.tsx'

await startConsole({ View: SandboxView, SignIn: ChooseShop }, keyOfCode)
