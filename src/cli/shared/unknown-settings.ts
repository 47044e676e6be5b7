import { settings } from './config.ts'

const known = Object.values(settings).map(({ variable }) => variable)

// Kubernetes sets such variables for every Service whose name begins with "petstore".
const fromKubernetes = /^PETSTORE(_[A-Z0-9_]+)?_(SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)|PORT(_\d+_(TCP|UDP)(_[A-Z]+)?)?)$/
const forTests = /^PETSTORE_TEST_/
/** The maximum edit distance of a suggestion. */
const maxDistance = 3

/** A sentence for each variable that begins with PETSTORE_ and is not a setting, with a suggestion. */
export function unknownSettings(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('PETSTORE_') && !known.includes(name))
    .filter((name) => !fromKubernetes.test(name) && !forTests.test(name))
    .toSorted()
    .map((name) => `${name} is not a setting and is ignored${suggestion(name)}`)
}

function suggestion(name: string): string {
  const [nearest] = known
    .map((variable) => ({ variable, distance: editDistance(name, variable) }))
    .toSorted((a, b) => a.distance - b.distance)
  return nearest !== undefined && nearest.distance <= maxDistance ? `: did you mean ${nearest.variable}?` : '.'
}

/** The number of letters to add, remove, replace or swap with a neighbour to turn one text into the other. */
function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const above = rows[i - 1] as number[]
      const replaced = (above[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1)
      row[j] = Math.min(replaced, (above[j] as number) + 1, (row[j - 1] as number) + 1)
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        row[j] = Math.min(row[j] as number, (rows[i - 2]?.[j - 2] as number) + 1)
      }
    }
    rows.push(row)
  }
  return rows[from.length]?.[to.length] as number
}
