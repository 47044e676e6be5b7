import { fifthWrongNodeAnimals } from './fifth/node-animals.ts'
import { fifthWrongNodeKeys } from './fifth/node-keys.ts'
import { fifthWrongNodeRefusals } from './fifth/node-refusals.ts'
import { fifthWrongNodeStore } from './fifth/node-store.ts'
import { fifthWrongPythonAnimals } from './fifth/python-animals.ts'
import { fifthWrongPythonBodies } from './fifth/python-bodies.ts'
import { fifthWrongPythonKeys } from './fifth/python-keys.ts'
import { fifthRightNode, fifthRightPython } from './fifth/right.ts'
import { fourthRightGo, fourthWrongGo } from './fourth/go.ts'
import { fourthRightNode, fourthWrongNode } from './fourth/node.ts'
import { fourthRightPhp, fourthWrongPhp } from './fourth/php.ts'
import { fourthRightPython, fourthWrongPython } from './fourth/python.ts'
import { fourthRightRuby, fourthWrongRuby } from './fourth/ruby.ts'
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
import { secondRightGo, secondWrongGo } from './second/go.ts'
import { secondRightNode, secondWrongNode } from './second/node.ts'
import { secondRightPhp, secondWrongPhp } from './second/php.ts'
import { secondRightPython, secondWrongPython } from './second/python.ts'
import { secondRightRuby, secondWrongRuby } from './second/ruby.ts'
import type { Shop, WrongShop } from './shop.ts'
import { sixthWrongGoRequests } from './sixth/go-requests.ts'
import { sixthWrongGoResponses } from './sixth/go-responses.ts'
import { sixthWrongNodeRequests } from './sixth/node-requests.ts'
import { sixthWrongNodeResponses } from './sixth/node-responses.ts'
import { sixthWrongPhpRequests } from './sixth/php-requests.ts'
import { sixthWrongPhpResponses } from './sixth/php-responses.ts'
import { sixthWrongPythonRequests } from './sixth/python-requests.ts'
import { sixthWrongPythonResponses } from './sixth/python-responses.ts'
import { sixthRightGo } from './sixth/right-go.ts'
import { sixthRightNode } from './sixth/right-node.ts'
import { sixthRightPhp } from './sixth/right-php.ts'
import { sixthRightPython } from './sixth/right-python.ts'
import { sixthRightRuby } from './sixth/right-ruby.ts'
import { sixthWrongRubyRequests } from './sixth/ruby-requests.ts'
import { sixthWrongRubyResponses } from './sixth/ruby-responses.ts'
import { thirdRightGo, thirdWrongGo } from './third/go.ts'
import { thirdRightNode, thirdWrongNode } from './third/node.ts'
import { thirdRightPhp, thirdWrongPhp } from './third/php.ts'
import { thirdRightPython, thirdWrongPython } from './third/python.ts'
import { thirdRightRuby, thirdWrongRuby } from './third/ruby.ts'

/** Shops that were committed together, before the checks that they measure were changed. */
export interface ShopSet {
  /** Each keeps every sentence of the contract, and answers in its own way where the contract is silent. */
  right: readonly Shop[]
  /** Each breaks one sentence of the contract. */
  wrong: readonly WrongShop[]
}

export type SetName = 'first' | 'second' | 'third' | 'fourth' | 'fifth' | 'sixth'

export const shopSets: Record<SetName, ShopSet> = {
  first: {
    right: [rightPython, rightRuby, rightPhp, rightGo, rightNode].flat(),
    wrong: [wrongPython, wrongRuby, wrongPhp, wrongGo, wrongNode].flat(),
  },
  second: {
    right: [secondRightPython, secondRightRuby, secondRightPhp, secondRightGo, secondRightNode].flat(),
    wrong: [secondWrongPython, secondWrongRuby, secondWrongPhp, secondWrongGo, secondWrongNode].flat(),
  },
  third: {
    right: [thirdRightPython, thirdRightRuby, thirdRightPhp, thirdRightGo, thirdRightNode].flat(),
    wrong: [thirdWrongPython, thirdWrongRuby, thirdWrongPhp, thirdWrongGo, thirdWrongNode].flat(),
  },
  fourth: {
    right: [fourthRightPython, fourthRightRuby, fourthRightPhp, fourthRightGo, fourthRightNode].flat(),
    wrong: [fourthWrongPython, fourthWrongRuby, fourthWrongPhp, fourthWrongGo, fourthWrongNode].flat(),
  },
  fifth: {
    right: [fifthRightPython, fifthRightNode].flat(),
    wrong: [
      fifthWrongPythonKeys,
      fifthWrongPythonBodies,
      fifthWrongPythonAnimals,
      fifthWrongNodeKeys,
      fifthWrongNodeRefusals,
      fifthWrongNodeAnimals,
      fifthWrongNodeStore,
    ].flat(),
  },
  sixth: {
    right: [sixthRightPython, sixthRightNode, sixthRightGo, sixthRightRuby, sixthRightPhp].flat(),
    wrong: [
      sixthWrongPythonRequests,
      sixthWrongPythonResponses,
      sixthWrongNodeRequests,
      sixthWrongNodeResponses,
      sixthWrongGoRequests,
      sixthWrongGoResponses,
      sixthWrongRubyRequests,
      sixthWrongRubyResponses,
      sixthWrongPhpRequests,
      sixthWrongPhpResponses,
    ].flat(),
  },
}

export const rightShops = Object.values(shopSets).flatMap(({ right }) => right)
export const wrongShops = Object.values(shopSets).flatMap(({ wrong }) => wrong)
