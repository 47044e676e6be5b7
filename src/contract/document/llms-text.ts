type Document = {
  info: { title: string; summary: string; description: string }
  paths: Record<
    string,
    Record<string, { operationId: string; summary: string; 'x-stability'?: string; deprecated?: true }>
  >
}

interface Guide {
  path: string
  title: string
  summary: string
}

/** The page at /llms.txt (llmstxt.org): what a language model needs first, and links to the rest. */
export function llmsText(openApiDocument: Record<string, unknown>, guides: readonly Guide[]): string {
  const { info, paths } = openApiDocument as Document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const notes = [operation['x-stability'], operation.deprecated && 'deprecated'].filter(Boolean).join(', ')
      return `- \`${method.toUpperCase()} /v1${path}\` (\`${operation.operationId}\`): ${operation.summary}${notes && ` (${notes})`}`
    }),
  )
  const pages = guides.map(({ path, title, summary }) => `- [${title}](${path}): ${summary}\n`)
  return `# ${info.title}

> ${info.summary} ${info.description}

Send \`Authorization: Bearer <API_KEY>\` with every request under \`/v1\`. Bodies are JSON; integers are 64 bits wide, so parse
them exactly. Lists are bare arrays: follow the \`Link\` header with \`rel="next"\` for the next page. Send an
\`Idempotency-Key\` with a create and repeat it safely. Errors are \`{"code", "message", "status"}\`.

## Operations

${operations.join('\n')}

${pages.length === 0 ? '' : `## Guides\n\n${pages.join('')}\n`}## Documents

- [OpenAPI document](/openapi.json): every parameter, body, response and error, and what webhooks get, as JSON
- [OpenAPI document](/openapi.yaml): the same as YAML
- [AsyncAPI document](/asyncapi.json): the events that the service sends, as JSON
- [Workflows](/arazzo.yaml): what people do, step by step, as an Arazzo document that a program can run
- \`/mcp\`: the operations as tools (Model Context Protocol), with the same keys, unless it is turned off
- [Reference](/docs): the same for people, with examples to try
`
}
