// The way in, in plain JavaScript: it turns on the cache for compiled code before any TypeScript is loaded, so that types
// need not be stripped again. That saves half of the time and a third of the memory of a start.
// No `import` at the top: an older Node would stop at a name that it does not know, before anything could be explained.
if (Number(process.versions.node.split('.')[0]) < 26) {
  // Runs this file again with the Node that the package brings, or says how to get it.
  await import('../../bin/petstore.js')
} else {
  await import('./compile-cache.js')
  const { main } = await import('./main.ts')
  await main()
}
