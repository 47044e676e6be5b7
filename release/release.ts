import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { mustRun } from '../test/support/cache.ts'
import { nodes } from '../test/support/other-node.ts'
import { buildRelease, packages } from './build.ts'
import { channelOf } from './channel.ts'
import { faultsOfNamedCommits } from './lost-commits.ts'
import { type Manifest, provenanceFault, publishPackages } from './publish.ts'
import { platforms } from './standalone.ts'
import { lintPackages, tryPackages, tryProgram } from './try-packages.ts'

// `npm run release`: makes the files of a release from the last commit, twice, tries them, and leaves them in
// release/out, or where --out says. Nothing leaves this machine without --publish. docs/releasing.md

// The modes of files are in the archives: those of this machine's umask would give other bytes.
process.umask(0o022)

const root = join(import.meta.dirname, '..')
const options = readOptions()
const git = (...args: string[]) => mustRun('git', ['-C', root, ...args]).trim()
const commit = git('rev-parse', 'HEAD')
const manifestOf = (path: string) => JSON.parse(git('show', `${commit}:${path}`)) as Manifest
const manifest = manifestOf('package.json')
const tag = `v${manifest.version}`
if (options.publish && !git('tag', '--points-at', commit).split('\n').includes(tag)) {
  refuse(`Nothing is published without the tag ${tag} on this commit.`)
}
const manifests = packages.map((name) => manifestOf(`${name}/package.json`))
const fault = provenanceFault(manifests, process.env)
if (options.publish && fault !== undefined) refuse(fault)
if (!options.publish && manifests.some(({ repository }) => repository === undefined)) {
  say('the packages name no repository: npm would refuse them with a provenance')
}
const lost = faultsOfNamedCommits(root)
if (options.publish && lost.length > 0) refuse(`${lost.join('; ')}. Run npm run quality.`)
for (const sentence of lost) say(sentence)
if (git('status', '--porcelain') !== '') say('What is not committed is not in it.')

const work = mkdtempSync(join(tmpdir(), 'petstore-release-'))
try {
  const chosen = platforms.filter((platform) => options.platform.includes(platform))
  const build = (name: string) => buildRelease(root, commit, join(work, name), chosen)
  say(`builds ${manifest.version} of ${commit.slice(0, 8)} for ${chosen.join(', ')}`)
  const [out, again] = [await build('first'), await build('second')]
  const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8')
  const other = new Set(readFileSync(join(again, 'SHA256SUMS'), 'utf8').split('\n'))
  const different = sums.split('\n').filter((line) => !other.has(line))
  if (different.length > 0) throw new Error(`A second build has other bytes:\n${different.join('\n')}`)
  say('a second build has the same bytes')

  lintPackages(out)
  say('publint and attw find nothing in the packages')
  for (const { node, npm } of nodes.filter(({ node }) => options.node.includes(node))) {
    await tryPackages(out, join(work, `node-${node}`), { node, npm })
    say(`the packages work under Node ${node}, installed by npm ${npm}`)
  }
  const own = chosen.find((platform) => platform === `${process.platform}-${process.arch}`)
  if (own !== undefined) {
    await tryProgram(join(out, `petstore-${manifest.version}-${own}.tar.gz`), join(work, 'program'), manifest.version)
  }
  for (const platform of chosen) say(`the folder for ${platform} ${platform === own ? 'works' : 'was NOT TRIED here'}`)

  rmSync(options.out, { recursive: true, force: true })
  cpSync(out, options.out, { recursive: true })
  process.stdout.write(sums)
  for (const file of readdirSync(out)) say(`${file} has ${sizeOf(join(out, file))}`)
  if (options.publish) publishPackages(options.out, manifest.version, channelOf(tag, git('tag', '--list').split('\n')))
  else say('published nothing: that needs --publish')
} finally {
  rmSync(work, { recursive: true, force: true })
}

function readOptions() {
  const versions = nodes.map(({ node }) => node)
  try {
    const { values } = parseArgs({
      options: {
        publish: { type: 'boolean', default: false },
        platform: { type: 'string', multiple: true, default: [...platforms] },
        out: { type: 'string', default: join(root, 'release/out') },
        node: { type: 'string', multiple: true, default: versions },
      },
    })
    mustBeAmong('--platform', values.platform, platforms)
    mustBeAmong('--node', values.node, versions)
    if (!isOurs(values.out)) throw new Error(`--out: ${values.out} has other files. Name a new folder.`)
    return values
  } catch (error) {
    return refuse((error as Error).message)
  }
}

function mustBeAmong(option: string, given: readonly string[], allowed: readonly string[]): void {
  const wrong = given.find((value) => !allowed.includes(value))
  if (wrong !== undefined) throw new Error(`${option} must be one of ${allowed.join(', ')}, not ${wrong}.`)
}

/** The folder is replaced: it must be one of an earlier release, or have nothing to lose. */
function isOurs(folder: string): boolean {
  if (!existsSync(folder)) return true
  const files = readdirSync(folder)
  return files.length === 0 || files.includes('SHA256SUMS')
}

function refuse(sentence: string): never {
  process.stderr.write(`release: ${sentence}\n`)
  process.exit(2)
}

function sizeOf(file: string): string {
  const { size } = statSync(file)
  return size < 1e6 ? `${Math.ceil(size / 1e3)} kB` : `${(size / 1e6).toFixed(1)} MB`
}

function say(sentence: string): void {
  process.stdout.write(`release: ${sentence}\n`)
}
