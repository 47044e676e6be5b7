import type { Command } from 'commander'
import { Failure } from './shared/failure.ts'

/** A verb by its path, such as `petstore keys create`, and the words that may follow. */
interface Verb {
  path: string
  words: { word: string; meaning: string }[]
}

const shells: Record<string, (verbs: readonly Verb[]) => string> = { bash, zsh, fish }

/** The script that makes a shell complete verbs and options. Generated from the program itself. */
export function completionScript(program: Command, shell: string): string {
  const write = shells[shell]
  if (write === undefined) {
    throw new Failure(`The shell must be one of ${Object.keys(shells).join(', ')}, got "${shell}".`)
  }
  return write(verbsOf(program, program.name()))
}

function verbsOf(command: Command, path: string): Verb[] {
  const words = [
    ...command.commands.map((verb) => ({ word: verb.name(), meaning: verb.description() })),
    ...command.options.map(({ long, description }) => ({ word: long ?? '', meaning: description })),
    { word: '--help', meaning: 'tell more' },
  ]
  return [{ path, words }, ...command.commands.flatMap((verb) => verbsOf(verb, `${path} ${verb.name()}`))]
}

/** The branches of a shell's `case`, one for each path. */
function cases(verbs: readonly Verb[], line: (verb: Verb) => string): string {
  return verbs.map((verb) => `    '${verb.path}') ${line(verb)} ;;`).join('\n')
}

// In every shell, the verbs before the cursor form the path; options between them are skipped.
function bash(verbs: readonly Verb[]): string {
  const known = verbs.map(({ path }) => `'${path}'`).join('|')
  return `_petstore() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path=petstore word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in ${known}) path="$path $word" ;; esac
  done
  case "$path" in
${cases(verbs, ({ words }) => `words='${words.map(({ word }) => word).join(' ')}'`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _petstore petstore
`
}

function zsh(verbs: readonly Verb[]): string {
  const known = verbs.map(({ path }) => `'${path}'`).join('|')
  const described = ({ words }: Verb) => words.map(({ word, meaning }) => quoted(`${word}:${meaning}`)).join(' ')
  return `#compdef petstore
_petstore() {
  local where=petstore word
  local -a offers
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$where $word" in ${known}) where="$where $word" ;; esac
  done
  case "$where" in
${cases(verbs, (verb) => `offers=(${described(verb)})`)}
  esac
  _describe petstore offers || _files
}
compdef _petstore petstore
`
}

function fish(verbs: readonly Verb[]): string {
  const lines = verbs.flatMap(({ path, words }) =>
    words.map(({ word, meaning }) => {
      const offer = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`
      return `complete -c petstore -n '__petstore_at "${path}"' ${offer} -d ${quoted(meaning)}`
    }),
  )
  const known = verbs.map(({ path }) => `'${path}'`).join(' ')
  return `function __petstore_at
  set -l path petstore
  for word in (commandline -opc)[2..]
    contains -- "$path $word" ${known}; and set path "$path $word"
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}
`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
