import { runWorkflows } from '../../support/redocly.ts'
import { shopKey, type Tool, toolVersion } from './tool.ts'

export function respect(): Tool {
  return {
    name: 'Respect',
    version: toolVersion('@redocly/cli'),
    settings: '`redocly respect arazzo.yaml` with the workflows that the service offers; found: a criterion fails',
    async findings({ origin }) {
      try {
        const steps = await runWorkflows({ url: `${origin}/v1`, key: shopKey })
        return steps.flatMap(({ step, failed }) => failed.map((criterion) => `${step} ${criterion}`))
      } catch {
        return ['it ended without a result']
      }
    },
  }
}
