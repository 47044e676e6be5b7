import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { buildGuides } from './build-guides.ts'

/** The sandbox has a script of its own, so that the page of a real shop loads nothing of it. */
const entryPoints = [
  'main.tsx',
  'sandbox.tsx',
  'guides.ts',
  'before-paint.ts',
  'style/style.css',
  'style/sandbox.css',
  'style/guides.css',
  'icon.svg',
].map((name) => `console/${name}`)

export interface BuiltConsole {
  page: string
  sandboxPage: string
  /** Texts by file name. */
  files: Record<string, string>
  /** The pages of the guides by address. */
  guides: Record<string, string>
}

/** Bundles the console with esbuild, whose output files have a hash of their content in their names, and its guides. */
export async function buildConsole(folder: string): Promise<BuiltConsole> {
  const { build, stop } = await import('esbuild')
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints,
    outdir: 'console/dist',
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    // Browsers load the map only for their developer tools.
    sourcemap: 'linked',
    format: 'esm',
    target: 'esnext',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'copy' },
    write: false,
    metafile: true,
    logLevel: 'silent',
  }).finally(stop)
  const hashedNames = new Map(
    Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
      entryPoint === undefined ? [] : [[nameInPage(entryPoint), basename(path)]],
    ),
  )
  const paw = (await readFile(join(folder, 'console/paw.svg'), 'utf8')).trim()
  async function readPage(file: string): Promise<string> {
    const html = await readFile(join(folder, 'console', file), 'utf8')
    return html
      .replace('<!-- paw.svg -->', paw)
      .replaceAll(/(?<=(?:href|src)="(?:\{\{root\}\})?console\/)[^"]+/g, (name) => hashedNames.get(name) ?? name)
  }
  return {
    page: await readPage('index.html'),
    sandboxPage: await readPage('sandbox.html'),
    files: Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text])),
    guides: await buildGuides(folder, await readPage('guide.html')),
  }
}

/** How a page calls an entry point. */
function nameInPage(entryPoint: string): string {
  return basename(entryPoint).replace(/\.tsx?$/, '.js')
}
