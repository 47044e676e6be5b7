/**
 * Node's http module. `import` reads every export, also the WebSocket client's, which loads all of undici: about ten
 * megabytes that a server never needs.
 */
export const http = process.getBuiltinModule('node:http')
