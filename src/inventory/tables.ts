import { Category, categoryMembers } from '../contract/category.ts'
import { columnNames, type Member } from '../contract/members.ts'
import { Order, orderMembers } from '../contract/order.ts'
import { Pet, petMembers } from '../contract/pet.ts'
import type { ResourceOf, ResourceSchema } from '../contract/schema.ts'
import { nameKeyOf } from './category-names.ts'
import {
  importMembers,
  importPartMembers,
  importRequestMembers,
  StoredImport,
  StoredImportPart,
  StoredImportRequest,
} from './stored-import.ts'
import { invitationMembers, StoredInvitation } from './stored-invitation.ts'
import { StoredWebhook, webhookMembers } from './stored-webhook.ts'

export interface ResourceDescription {
  /** What a row is, in messages and in the lines of a sandbox. */
  noun: string
  schema: ResourceSchema
  /** A column for each. The first is the id. */
  members: Readonly<Record<string, Member>>
  /** Ids are 1, 2, 3, …, in the order of the commits, and never used twice. */
  isCounted: boolean
  /** The members that a list is filtered by, in the order of the columns of the indexes. Pets have lists of their own. */
  filters?: readonly string[]
  /** A further column, made from the text of a member, that rows are found by. Copies do not have it. */
  derived?: { column: string; from: string; of(text: string): string }
}

/**
 * Every resource that has a table of its own, in the order of a copy. Rows, facts, changes, statements, copies, checks
 * and the lines of a sandbox are made from it.
 */
export const resources = {
  categories: {
    noun: 'category',
    schema: Category,
    members: categoryMembers,
    isCounted: false,
    derived: { column: 'name_key', from: 'name', of: nameKeyOf },
  },
  pets: { noun: 'animal', schema: Pet, members: petMembers, isCounted: true },
  orders: { noun: 'order', schema: Order, members: orderMembers, isCounted: true, filters: ['petId', 'status'] },
  webhooks: { noun: 'webhook', schema: StoredWebhook, members: webhookMembers, isCounted: true },
  invitations: {
    noun: 'invitation',
    schema: StoredInvitation,
    members: invitationMembers,
    isCounted: true,
    filters: ['hash'],
  },
  imports: { noun: 'import', schema: StoredImport, members: importMembers, isCounted: true, filters: ['name'] },
  import_parts: {
    noun: 'import part',
    schema: StoredImportPart,
    members: importPartMembers,
    isCounted: false,
    filters: ['importId'],
  },
  import_requests: {
    noun: 'import request',
    schema: StoredImportRequest,
    members: importRequestMembers,
    isCounted: true,
    filters: ['digest'],
  },
} as const satisfies Record<string, ResourceDescription>

export type ResourceTable = keyof typeof resources
export type Resource<Table extends ResourceTable> = ResourceOf<(typeof resources)[Table]['schema']>
/** The word for a row of a resource. */
export type Noun = (typeof resources)[ResourceTable]['noun']

export const resourceTables = Object.keys(resources) as ResourceTable[]

export function isResource(table: string): table is ResourceTable {
  return Object.hasOwn(resources, table)
}

type Counted<Table> = Table extends ResourceTable
  ? (typeof resources)[Table]['isCounted'] extends true
    ? Table
    : never
  : never
/** The tables whose ids are counted. */
export type CountedTable = Counted<ResourceTable>
export type CounterName = CountedTable | 'events'

export function isCounted(table: ResourceTable): table is CountedTable {
  return resources[table].isCounted
}

export const countedTables = resourceTables.filter(isCounted)
export const counterNames: readonly CounterName[] = [...countedTables, 'events']

/** Makes something for each resource. */
export function forEachResource<Value>(make: (table: ResourceTable) => Value): Record<ResourceTable, Value> {
  return Object.fromEntries(resourceTables.map((table) => [table, make(table)])) as Record<ResourceTable, Value>
}

/** The columns of a resource, in order. */
export function columnsOfResource(table: ResourceTable): readonly string[] {
  return columnNames(resources[table].members)
}
