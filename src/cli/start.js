// The entry point, in plain JavaScript: it enables the compile cache before any TypeScript is loaded, so that types are
// not stripped again. That saves half of the time and a third of the memory of a start. No static imports: an older
// Node would fail at an unknown export before it could explain anything.
if (Number(process.versions.node.split('.')[0]) < 26) {
  // Runs this file again with the Node of the package, or says how to install it.
  await import('../../bin/petstore.js')
} else {
  await import('./compile-cache.js')
  await import('../threads/resolve-modules.js')
  const { main } = await import('./main.ts')
  await main()
}
