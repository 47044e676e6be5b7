import type { ShopEvent } from './contract.ts'

/** Something that happened to an animal. */
export type PetEvent = Extract<ShopEvent, { type: `petstore.pet.${string}` }>

/** Something that happened to an order. */
export type OrderEvent = Extract<ShopEvent, { type: `petstore.order.${string}` }>
