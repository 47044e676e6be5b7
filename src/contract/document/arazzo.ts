interface Workflows {
  workflows: { steps: { operationId: string }[] }[]
}

type Paths = { paths: Record<string, Record<string, { operationId: string }>> }

/** The Arazzo document without the workflows whose operations the OpenAPI document of a deployment does not have. */
export function servedWorkflows(arazzo: Workflows, openApiDocument: Record<string, unknown>): Workflows {
  const { paths } = openApiDocument as Paths
  const served = new Set(
    Object.values(paths).flatMap((methods) => Object.values(methods).map((each) => each.operationId)),
  )
  const workflows = arazzo.workflows.filter(({ steps }) => steps.every(({ operationId }) => served.has(operationId)))
  return { ...arazzo, workflows }
}
