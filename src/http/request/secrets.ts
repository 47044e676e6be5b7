/** `PETSTORE_API_KEY` is no shorter. */
const minKeyLength = 20

/**
 * A text of a client for a log or a journal: without API keys, invitations, keys of a sandbox and secrets of webhooks. A
 * `PETSTORE_API_KEY` has no form of its own. It is recognised in a request that is authorised with it: a comparison with
 * the setting would tell anybody who sends a guess whether it is right.
 */
export function withoutSecrets(text: string, authorization?: string): string {
  const rest = text.length < minKeyLength ? text : withoutCredential(text, authorization)
  if (!rest.includes('pet_') && !rest.includes('whsec_') && !rest.includes('sandbox_')) return rest
  return rest.replace(/(pet_(?:live|test|invite)_|sandbox_)[\w-]+/g, '$1…').replace(/(whsec_)[\w+/=%-]+/g, '$1…')
}

function withoutCredential(text: string, authorization = ''): string {
  const credential = authorization.slice(authorization.lastIndexOf(' ') + 1)
  return credential.length < minKeyLength ? text : text.replaceAll(credential, '…')
}
