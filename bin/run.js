// `node bin/run.js [NAME=value …] [flags] FILE …`: what `node` would do, with the Node that the package brings. Every npm
// script starts with it: `node` alone is the machine's own, of any version from 20 on.
import { delimiter, dirname } from 'node:path'
import { findNode, noNode } from './find-node.js'
import { refuse, runNode } from './run-node.js'

const args = process.argv.slice(2)
while (/^[A-Z_]+=/.test(args[0] ?? '')) {
  const [name] = args[0].split('=', 1)
  process.env[name] = args.shift().slice(name.length + 1)
}
const node = findNode()
if (node === undefined) refuse(noNode)
// For scripts that run `npm` or a program of another package.
process.env.PATH = [dirname(node), process.env.PATH].filter(Boolean).join(delimiter)
// Without a process in between, where Node can replace itself. Another one might not start: somebody must explain that.
if (node === process.execPath && process.platform !== 'win32') process.execve(node, [node, ...args])
else runNode(node, args)
