import { type Check, reads } from '../shop/check.ts'
import { says } from './contract-sentences.ts'

export const wholeResponseChecks: readonly Check[] = [
  reads('C-4-14', {
    name: 'every response is whole, and in the coding that its headers say',
    sentence: says.mediaType,
    conclusion: 'A body that is cut off, or in another coding than its headers say, is no JSON to its client.',
    unjudged: 'no response came',
    async run({ shop }) {
      for (const coding of ['gzip', 'deflate', 'br', 'gzip, deflate, br'])
        for (const path of ['/pets?limit=30', '/pets', '/pets/0'])
          await shop.send({ method: 'GET', path, headers: { 'Accept-Encoding': coding } })
    },
  }),
]
