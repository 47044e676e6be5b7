/** A text of a client for a log or a journal: without API keys, invitations, keys of a sandbox and secrets of webhooks. */
export function withoutSecrets(text: string): string {
  if (!text.includes('pet_') && !text.includes('whsec_') && !text.includes('sandbox_')) return text
  return text.replace(/(pet_(?:live|test|invite)_|sandbox_)[\w-]+/g, '$1…').replace(/(whsec_)[\w+/=%-]+/g, '$1…')
}
