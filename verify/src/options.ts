/** An option of the command line. Without a value it is a switch. */
export interface Option {
  name: string
  value?: string
  description: string
  default?: string
  isRequired?: true
}

/** Those of `petstore verify`, which are those of the package too. */
export const options: readonly Option[] = [
  {
    name: 'url',
    value: 'address',
    description: 'the base address, such as http://127.0.0.1:8080/v1',
    isRequired: true,
  },
  { name: 'key', value: 'key', description: 'an API key that may add animals', isRequired: true },
  {
    name: 'level',
    value: 'level',
    description:
      'contract: exactly what the contract says; recommended: also our answers where it is silent; full: also what our document offers beyond',
    default: 'contract',
  },
  { name: 'only', value: 'check', description: 'run one check, such as C-4.1-1' },
  { name: 'require-all', description: 'end with 1 if a rule could not be judged' },
  { name: 'bail', description: 'end at the first broken rule, and remove what was added' },
  { name: 'category', value: 'id', description: 'a category that the shop takes, if it refuses unknown ones' },
  { name: 'read-only', description: 'add nothing: run only what needs no new animal' },
  { name: 'seed', value: 'number', description: 'run the checks in a random order, the same for the same number' },
  { name: 'rate', value: 'number', description: 'the most requests in a second', default: '1000' },
  { name: 'timeout', value: 'seconds', description: 'the time for one response', default: '10' },
  { name: 'json', description: 'print JSON' },
  { name: 'junit', value: 'file', description: 'write the report as JUnit XML' },
  { name: 'html', value: 'file', description: 'write the report as a web page' },
  { name: 'yes', description: 'do not ask before a run with a key of production' },
]

export const exitCodes = `
The exit code is 0 if no rule is broken, 1 if one is, and 2 if the arguments are wrong, nothing could be
judged (no HTTP response came, the shop limits all requests or refuses the key), or no create was accepted.`
