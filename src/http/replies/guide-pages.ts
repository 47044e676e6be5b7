/** A page that is made of a Markdown file when the console is bundled. */
export interface GuidePage {
  /** The file, below docs/. */
  source: string
  /** Its address. */
  path: string
  /** Its name in the navigation. */
  title: string
  /** Whether its commands are for a sandbox: at a real shop they fail, or change animals. */
  isForSandbox: boolean
}

function page(name: string, title: string, isForSandbox = false): GuidePage {
  return { source: `${name}.md`, path: `/docs/${name.replace(/\/README$/, '')}`, title, isForSandbox }
}

/** The pages in the order of the navigation. */
export const guideGroups: readonly { title: string; pages: readonly GuidePage[] }[] = [
  {
    title: 'Guides',
    pages: [
      page('guides/README', 'All guides'),
      page('guides/keys', 'Keys'),
      page('guides/paging', 'Paging'),
      page('guides/errors', 'Errors'),
      page('guides/retries', 'Retries and idempotency'),
      page('guides/concurrent-changes', 'Concurrent changes'),
      page('guides/events', 'Following events'),
      page('guides/webhooks', 'Receiving webhooks'),
      page('guides/sandbox', 'Testing against the sandbox', true),
      page('guides/finding-bugs', 'Finding bugs', true),
    ],
  },
  {
    title: 'For testers',
    pages: [
      page('testing-against-it', 'The sandbox', true),
      page('verify', 'Verify', true),
      page('bugs', 'Catalogue of bugs', true),
      page('bugs-found', 'What tools find', true),
    ],
  },
  { title: 'For programs', pages: [page('webhooks', 'Webhooks'), page('agents', 'Agents')] },
]

export const guidePages: readonly GuidePage[] = guideGroups.flatMap(({ pages }) => pages)
