import { listing } from './list.ts'
import { throughput } from './throughput.ts'

const { goals: _goals, ...plain } = listing
const load = { connections: 500, requestsPerConnection: 10 }

export const comeAndGo = throughput({
  ...plain,
  name: 'come-and-go',
  title: 'list 20, 500 connections that come and go',
  meaning:
    `The first page of 20 over ${load.connections} connections. Each ends after ${load.requestsPerConnection} requests, ` +
    'and a new one takes its place. The time of its first request includes opening it.',
  load,
})
