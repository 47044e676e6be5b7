#!/usr/bin/env node
// Runs the command line with a Node that is new enough, whichever Node is installed.
import { fileURLToPath } from 'node:url'
import { findNode, noNode, nodeEnvironment, nodeFlags } from './find-node.js'
import { refuse, runNode } from './run-node.js'

const node = findNode()
if (node === undefined) refuse(noNode)
Object.assign(process.env, { ...nodeEnvironment, ...process.env })
runNode(node, [...nodeFlags, fileURLToPath(new URL('../src/cli/start.js', import.meta.url)), ...process.argv.slice(2)])
