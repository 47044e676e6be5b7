import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stabilityLevels } from '../../src/contract/operations/operations.ts'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { requests, startShop } from '../support/operations.ts'
import { ask, stabilities } from '../support/stability-cases.ts'

const refusals: Record<string, Record<string, 'not_found' | 'method_not_allowed'>> = {
  experimental: {},
  beta: {
    bulkChangePets: 'method_not_allowed',
    importPets: 'method_not_allowed',
    // Without the operation it is the address of an animal.
    exportPets: 'not_found',
    exportOrders: 'not_found',
    listImports: 'not_found',
    undoImport: 'not_found',
    placeOrder: 'method_not_allowed',
    updateOrder: 'method_not_allowed',
    listDays: 'not_found',
    listCategories: 'not_found',
    createCategory: 'not_found',
    getCategory: 'not_found',
    putCategory: 'not_found',
    deleteCategory: 'not_found',
    listEvents: 'not_found',
    listKeys: 'not_found',
    createKey: 'not_found',
    getKey: 'not_found',
    updateKey: 'not_found',
    revokeKey: 'not_found',
    rotateKey: 'not_found',
    listInvitations: 'not_found',
    createInvitation: 'not_found',
    getInvitation: 'not_found',
    deleteInvitation: 'not_found',
    getCurrentInvitation: 'not_found',
    redeemInvitation: 'not_found',
    listWebhooks: 'not_found',
    createWebhook: 'not_found',
    getWebhook: 'not_found',
    updateWebhook: 'not_found',
    deleteWebhook: 'not_found',
    rotateWebhook: 'not_found',
    testWebhook: 'not_found',
    listDeliveries: 'not_found',
    resendDelivery: 'not_found',
  },
  stable: {
    updatePet: 'method_not_allowed',
    deletePet: 'method_not_allowed',
    bulkChangePets: 'method_not_allowed',
    importPets: 'method_not_allowed',
    exportPets: 'not_found',
    exportOrders: 'not_found',
    listImports: 'not_found',
    undoImport: 'not_found',
    getOrder: 'not_found',
    placeOrder: 'method_not_allowed',
    updateOrder: 'not_found',
    getInventory: 'not_found',
    listDays: 'not_found',
    listCategories: 'not_found',
    createCategory: 'not_found',
    getCategory: 'not_found',
    putCategory: 'not_found',
    deleteCategory: 'not_found',
    listEvents: 'not_found',
    listKeys: 'not_found',
    createKey: 'not_found',
    getKey: 'not_found',
    updateKey: 'not_found',
    revokeKey: 'not_found',
    rotateKey: 'not_found',
    listInvitations: 'not_found',
    createInvitation: 'not_found',
    getInvitation: 'not_found',
    deleteInvitation: 'not_found',
    getCurrentInvitation: 'not_found',
    redeemInvitation: 'not_found',
    listWebhooks: 'not_found',
    createWebhook: 'not_found',
    getWebhook: 'not_found',
    updateWebhook: 'not_found',
    deleteWebhook: 'not_found',
    rotateWebhook: 'not_found',
    testWebhook: 'not_found',
    listDeliveries: 'not_found',
    resendDelivery: 'not_found',
  },
}

for (const minStability of stabilityLevels) {
  for (const id of Object.keys(requests)) {
    const code = refusals[minStability]?.[id]
    test(`a service that offers ${minStability} operations ${code === undefined ? 'serves' : 'does not know'} ${id}`, async (t) => {
      const app = await startShop(t, { minStability })

      // Where nothing takes invitations, only a key learns that.
      const answer = await ask(app, id, code === undefined ? [] : [`Authorization: Bearer ${app.key}`])

      if (code === undefined) assert.ok(answer.status < 300, answer.text)
      else assertError(answer, code)
      // Without exportOrders its path is the address of an order, which is beta.
      const isAnOrder = id === 'exportOrders' && minStability === 'beta'
      if (code !== undefined) assert.equal(answer.headers.get('stability'), isAnOrder ? 'beta' : null)
    })
  }

  test(`the document of a service that offers ${minStability} operations has exactly those`, async (t) => {
    const { send } = await startApp(t, { minStability })

    const document = (await send('/openapi.json')).body as {
      paths: Record<string, Record<string, { operationId: string; 'x-stability'?: string }>>
      tags: { name: string }[]
      components: { schemas: Record<string, unknown> }
    }

    const described = Object.values(document.paths).flatMap((path) => Object.values(path))
    const served = Object.keys(requests).filter((id) => refusals[minStability]?.[id] === undefined)
    assert.deepEqual(described.map(({ operationId }) => operationId).toSorted(), served.toSorted())
    for (const { operationId, 'x-stability': stability } of described)
      assert.equal(stability ?? null, stabilities[operationId])
    assert.deepEqual(
      document.tags.map(({ name }) => name),
      {
        stable: ['pets', 'store'],
        beta: ['pets', 'store'],
        experimental: ['pets', 'store', 'categories', 'events', 'keys', 'invitations', 'webhooks'],
      }[minStability],
    )
  })
}

test('with stable the service and its document have exactly the operations that the contract names', async (t) => {
  const { send } = await startApp(t, { minStability: 'stable' })

  const { paths, components } = (await send('/openapi.json')).body as {
    paths: Record<string, object>
    components: { schemas: object }
  }

  assert.deepEqual(
    Object.entries(paths).map(([path, methods]) => [path, Object.keys(methods)]),
    [
      ['/pets', ['get', 'post']],
      ['/pets/{petId}', ['get']],
      ['/store/orders', ['get']],
    ],
  )
  assert.deepEqual(Object.keys(components.schemas).toSorted(), [
    'Error',
    'NewPet',
    'Order',
    'OrderStatus',
    'Orders',
    'Pet',
    'PetStatus',
    'Pets',
  ])
})

test('with stable the document says which operations it has and which parameters beyond the contract', async (t) => {
  const { send } = await startApp(t, { minStability: 'stable' })

  const { info, paths } = (await send('/openapi.json')).body as {
    info: { description: string }
    paths: Record<string, Record<string, { parameters: { name: string; 'x-stability'?: string }[] }>>
  }

  const described = Object.values(paths).flatMap((path) => Object.values(path))
  const marked = described.flatMap(({ parameters }) => parameters.filter((one) => one['x-stability'] !== undefined))
  const [, listed = ''] = /each marked with an `x-stability`: (.*?)\. /.exec(info.description) ?? []
  assert.match(info.description, /`listPets`, `createPet`, `getPet`, `listOrders`, and no others/)
  assert.deepEqual(listed.split(', '), [...new Set(marked.map(({ name }) => `\`${name}\``))])
  assert.ok(listed.includes('`cursor`') && listed.includes('`Idempotency-Key`'))
})

for (const minStability of ['beta', 'experimental'] as const) {
  test(`the document of a service that offers ${minStability} operations does not mention stable ones only`, async (t) => {
    const { text } = await (await startApp(t, { minStability })).send('/openapi.json')

    assert.doesNotMatch(text, /and no others/)
  })
}

for (const [minStability, path, allow] of [
  ['stable', '/v1/store/orders', 'GET, HEAD, OPTIONS'],
  ['stable', '/v1/pets/1', 'GET, HEAD, OPTIONS'],
  ['beta', '/v1/pets/1', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
  ['beta', '/v1/store/orders', 'GET, HEAD, OPTIONS'],
  ['experimental', '/v1/store/orders', 'GET, HEAD, OPTIONS, POST'],
] as const) {
  test(`Allow lists the offered methods: ${path} with ${minStability}`, async (t) => {
    const { send } = await startApp(t, { minStability })

    const refused = await send(path, { method: 'PUT' })
    const options = await send(path, { method: 'OPTIONS' })

    assertError(refused, 'method_not_allowed')
    assert.equal(refused.headers.get('allow'), allow)
    assert.equal(options.headers.get('allow'), allow)
  })
}
