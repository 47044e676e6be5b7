import type { Bench } from '../measure.ts'
import type { Section } from '../report.ts'

export interface Question {
  /** What the flag --rows calls it. */
  name: string
  title: string
  /** True when it starts servers itself; otherwise it asks the ones that run, all with the same animals. */
  startsServers?: true
  answer(bench: Bench): Promise<Section>
}
