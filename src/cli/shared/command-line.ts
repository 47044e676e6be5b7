import { encodeAuthor } from '../../contract/event.ts'

/** The author of the changes of the command line, which has no API key. */
export const commandLine = encodeAuthor({ keyName: 'command line' })
