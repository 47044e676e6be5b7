import { type Check, type Subject, writes } from '../../shop/check.ts'
import { expectMembers, expectObject, expectRefusal, findItem, sendJson } from '../../shop/answers.ts'
import type { Exchange } from '../../shop/exchange.ts'
import { expectStatus, fail, Skipped } from '../../shop/expect.ts'
import { int64Of, member } from '../../shop/json.ts'

const redeemSentence = 'redeemInvitation: makes the key of an invitation, once.'

interface NewInvitation {
  path: string
  name: string
  token: string
}

async function invite({ shop, stock }: Subject): Promise<NewInvitation> {
  const name = stock.newName()
  const made = await sendJson(shop, 'POST', '/invitations', `{"name":"${name}","permission":"read"}`)
  if (made.response?.status === 404) throw new Skipped('POST /invitations is not served')
  const invitation = expectObject(made, 201)
  expectMembers(made, invitation, { name, permission: 'read', state: 'open' })
  const [id, token] = [int64Of(member(invitation, 'id')), member(invitation, 'token')]
  if (id === undefined) return fail(made, 'an id that is an int64')
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) return fail(made, 'a token')
  const link = member(invitation, 'link')
  // What follows # is sent to no server.
  if (typeof link !== 'string' || !link.includes(`#invitation=${token}`)) fail(made, 'a link with the token after #')
  return { path: `/invitations/${id}`, name, token }
}

function redeem({ shop }: Subject, token: string): Promise<Exchange> {
  return shop.send({ method: 'POST', path: '/invitations/redeem', authorization: `Bearer ${token}` })
}

function listed({ shop }: Subject, name: string) {
  return findItem(shop, '/invitations?limit=100', (one) => member(one, 'name') === name)
}

export const invitationChecks: readonly Check[] = [
  writes('F-invitations-1', {
    name: 'an invitation is listed without its token, which opens nothing else',
    sentence: 'createInvitation: the token is in this response only, and works for `redeemInvitation` only.',
    async run(subject) {
      const { name, token } = await invite(subject)
      const { list, item } = await listed(subject, name)
      expectMembers(list, item, { permission: 'read', state: 'open' })
      if (list.response?.body.includes(token)) fail(list, 'no token')
      const asked = await subject.shop.send({ method: 'GET', path: '/pets?limit=1', authorization: `Bearer ${token}` })
      expectRefusal(asked, 401, 'unauthorized')
    },
  }),
  writes('F-invitations-2', {
    name: 'a token makes a key of the stated name and permission, once',
    sentence: redeemSentence,
    async run(subject) {
      const { name, token } = await invite(subject)
      const made = await redeem(subject, token)
      const key = expectObject(made, 201)
      expectMembers(made, key, { name, permission: 'read', state: 'active' })
      const secret = member(key, 'key')
      if (typeof secret !== 'string' || secret === token) return fail(made, 'the secret as the member key')
      const authorization = `Bearer ${secret}`
      expectStatus(await subject.shop.send({ method: 'GET', path: '/pets?limit=1', authorization }), 200)
      expectRefusal(await redeem(subject, token), 401, 'unauthorized')
      const { list, item } = await listed(subject, name)
      if (item !== undefined) fail(list, 'no invitation that was used')
    },
  }),
  writes('F-invitations-3', {
    name: 'an invitation that was removed makes no key: 401',
    sentence: 'deleteInvitation: takes an invitation back. Its link does not work any more.',
    async run(subject) {
      const { path, token } = await invite(subject)
      expectStatus(await subject.shop.send({ method: 'DELETE', path }), 204)
      expectRefusal(await redeem(subject, token), 401, 'unauthorized')
      expectRefusal(await subject.shop.send({ method: 'DELETE', path }), 404, 'not_found')
    },
  }),
]
