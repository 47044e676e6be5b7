import { registerHooks } from 'node:module'

// Imported with `?from=FOLDER/`: what is not in a package finds OpenTelemetry in that folder, as if it were installed.
const from = new URL(import.meta.url).searchParams.get('from') ?? ''

registerHooks({
  resolve(name, context, next) {
    const isOurs = name.startsWith('@opentelemetry/') && !context.parentURL?.includes('/node_modules/')
    return next(name, isOurs ? { ...context, parentURL: from } : context)
  },
})
