import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const debianPackages = { 'libatomic.so.1': 'libatomic1', 'libstdc++.so.6': 'libstdc++6', 'libgcc_s.so.1': 'libgcc-s1' }

/** Why the system cannot start this Node, and what to do about it; undefined if it can. */
export function whyBroken(node) {
  const { error, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8', env: {} })
  if (error?.code === 'EMFILE' || error?.code === 'ENFILE') {
    return `Node cannot be started, because too many files are open (${error.code}): raise the limit (ulimit -n; LimitNOFILE= of systemd).`
  }
  if (error !== undefined) {
    const failed = `the Node that the package brings cannot be run (${error.code})`
    // The file is there, but not the loader that it names.
    const isForGlibc = error.code === 'ENOENT' && existsSync(node)
    return `${failed}: ${isForGlibc ? 'this system has no glibc, install Node 26 for it' : 'install the package again'}.`
  }
  const library = /error while loading shared libraries: ([^:\s]+):/.exec(stderr)?.[1]
  if (library === undefined) return undefined
  const how = debianPackages[library]
  const advice = how === undefined ? 'install it' : `install it ("apt-get install ${how}" on Debian and Ubuntu)`
  return `the Node that the package brings needs the library ${library}, which this machine does not have: ${advice}.`
}
