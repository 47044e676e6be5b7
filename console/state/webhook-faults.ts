import { failureOf } from '../api/failure.ts'

export interface WebhookFaults {
  address?: string | undefined
  description?: string | undefined
}

const example = 'https://shop.example.com/hook'
const [maxAddress, maxDescription] = [2_048, 1_000]

/** What is wrong with what was typed, in words of people: the service names its own members. Nothing of other failures. */
export function webhookFaults(error: unknown, typed: { url: string; description: string }): WebhookFaults {
  const { code, message, fields = [] } = failureOf(error)
  if (code !== 'invalid_body') return {}
  return {
    address: fields.includes('url') ? addressFault(typed.url.trim(), message) : undefined,
    description: fields.includes('description') ? descriptionFault(typed.description) : undefined,
  }
}

function addressFault(text: string, message: string): string {
  if (text === '') return `Type an address, such as ${example}`
  if (text.length > maxAddress) return 'The address is too long.'
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return `This is no web address. One is ${example}`
  if (url.username !== '' || url.password !== '') return 'The address must have no user name and no password.'
  if (url.hash !== '') return 'The address must have nothing after a #.'
  if (message.includes('public')) return 'The address must be a public one, not one of a private network.'
  return `The address cannot be right. Compare it with ${example}`
}

function descriptionFault(text: string): string {
  return text.length > maxDescription
    ? `This text is too long: it has at most ${maxDescription.toLocaleString('en')} characters.`
    : 'This text has a sign that cannot be saved.'
}
