import { dirname, join } from 'node:path/posix'

/**
 * One module that does what these do, so that a browser makes one request instead of a hundred. Each becomes a function
 * that returns its exports, and comes after those that it imports. Handles the imports and exports that our modules
 * have and refuses others, such as an import without names or `export let`, whose value could change later.
 */
export function joinModules(start: string, sources: ReadonlyMap<string, string>): string {
  const joined = new Map<string, string>()
  function add(name: string): void {
    if (joined.has(name)) return
    const { text, imports, exports } = rewrite(name, sources.get(name))
    for (const target of imports) add(target)
    // The first module may wait at its top level.
    const block = `${variable(name)} = (() => {\n${text}\nreturn { ${exports.join(', ')} }\n})()`
    joined.set(name, name === start ? `{\n${text}\n}\n` : `${block}\n`)
  }
  add(start)
  return ['const modules = {}\n', ...joined.values()].join('')
}

/** The source with its imports as variables, and without the word `export`. */
function rewrite(name: string, source: string | undefined) {
  if (source === undefined) throw new Error(`There is no module ${name}.`)
  const imports = new Set<string>()
  const exports: string[] = []
  function resolve(path: string): string {
    const target = join(dirname(name), path)
    imports.add(target)
    return variable(target)
  }
  const text = source
    .replaceAll(/^import\s*\{([^}]*)\}\s*from\s*'([^']*)'/gm, (_statement, list: string, path: string) => {
      const names = namesIn(list).map(([outer, own]) => `${outer}: ${own}`)
      return `const { ${names.join(', ')} } = ${resolve(path)}`
    })
    .replaceAll(/^export\s*\{([^}]*)\}\s*from\s*'([^']*)'/gm, (_statement, list: string, path: string) => {
      const from = resolve(path)
      exports.push(...namesIn(list).map(([own, outer]) => `${outer}: ${from}.${own}`))
      return ''
    })
    .replaceAll(/\bexport\s*\{([^}]*)\}/g, (_statement, list: string) => {
      exports.push(...namesIn(list).map(([own, outer]) => `${outer}: ${own}`))
      return ''
    })
    .replaceAll(/^export\s+(?=(?:(?:async\s+)?function\s*\*?|const|class)\s+(\w+))/gm, (_export, declared: string) => {
      exports.push(declared)
      return ''
    })
  // `export(` is a method of a class.
  const [other] = /^\s*(?:import\b(?!\.)|export\b(?!\()).*/m.exec(text) ?? []
  if (other !== undefined) throw new Error(`${name} cannot be joined with other modules: ${other}`)
  return { text, imports, exports }
}

function variable(name: string): string {
  return `modules['${name}']`
}

/** The pairs of names in `a, b as c`. */
function namesIn(list: string): [string, string][] {
  const items = list.split(',').map((item) => item.trim())
  return items
    .filter((item) => item !== '')
    .map((item) => {
      const [first = '', second = first] = item.split(/\s+as\s+/)
      return [first, second]
    })
}
