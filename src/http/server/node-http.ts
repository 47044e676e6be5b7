/**
 * Node's http module. Not by `import`, which reads every export, the WebSocket client's too: that alone loads all of
 * undici, some ten megabytes that a server never needs.
 */
export const http = process.getBuiltinModule('node:http')
