import { Type } from './schema.ts'

const scheme = '[Hh][Tt][Tt][Pp][Ss]?'
/** Only what RFC 3986 has: no white space, NUL or backslash, which parsers of addresses read in different ways. */
const urlCharacter = "[A-Za-z0-9._~:/?\\[\\]@!$&'()*+,;=-]"
const urlForms = {
  'that is an http or https address': `^${scheme}://.`,
  'in the characters of RFC 3986, without a fragment': `^(?:${urlCharacter}|%)*$`,
  'with two hexadecimal digits after each %': '^(?:[^%]|%[0-9A-Fa-f]{2})*$',
}

export const WebhookUrl = Type.String({
  maxLength: 2048,
  pattern: `^${scheme}://(?:${urlCharacter}|%[0-9A-Fa-f]{2})+$`,
  'x-form': urlForms,
  description:
    'Where events are sent with POST: an absolute `https` or `http` address of at most 2,048 characters, without user ' +
    'name, password and fragment. An address that is not public, and a host name that there can never be, is refused.',
  examples: ['https://shop.example.com/petstore-events'],
})
