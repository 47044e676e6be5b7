import { rightGo } from './go/right.ts'
import { wrongGo } from './go/wrong.ts'
import { rightNode } from './node/right.ts'
import { wrongNode } from './node/wrong.ts'
import { rightPhp } from './php/right.ts'
import { wrongPhp } from './php/wrong.ts'
import { rightPython } from './python/right.ts'
import { wrongPython } from './python/wrong.ts'
import { rightRuby } from './ruby/right.ts'
import { wrongRuby } from './ruby/wrong.ts'
import type { Shop, WrongShop } from './shop.ts'

/** Each keeps every sentence of the contract, and answers in its own way where the contract is silent. */
export const rightShops: readonly Shop[] = [rightPython, rightRuby, rightPhp, rightGo, rightNode].flat()

/** Each breaks one sentence of the contract. */
export const wrongShops: readonly WrongShop[] = [wrongPython, wrongRuby, wrongPhp, wrongGo, wrongNode].flat()
