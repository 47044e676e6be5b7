import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { Token, Tokens } from 'marked'
import { type GuidePage, guideGroups, guidePages } from '../replies/guide-pages.ts'

/** The languages of the examples. Sections with these headings become tabs. */
const languages = new Set(['curl', 'TypeScript', 'Python'])

/** The guides by their addresses. `template` is a page with places for what differs. */
export async function buildGuides(folder: string, template: string): Promise<Record<string, string>> {
  const served = guidePages.filter(({ source }) => existsSync(join(folder, 'docs', source)))
  const made = served.map(async (page) => {
    const text = await readFile(join(folder, 'docs', page.source), 'utf8')
    return [page.path, await buildPage(page, text, template, served)] as const
  })
  return Object.fromEntries(await Promise.all(made))
}

async function buildPage(
  page: GuidePage,
  text: string,
  template: string,
  served: readonly GuidePage[],
): Promise<string> {
  const { lexer, Parser } = await import('marked')
  const renderer = await rendererOf(page, served)
  const tokens = lexer(text, { gfm: true })
  const parts: Record<string, string> = {
    root: '../'.repeat(page.path.split('/').length - 2),
    title: escaped(titleOf(tokens)),
    description: escaped(firstSentenceOf(tokens)),
    sandbox: page.isForSandbox ? ' data-for="sandbox"' : '',
    content: contentOf(tokens, (some) => Parser.parse(some, { renderer })),
    headings: headingsOf(tokens),
    pages: navigation(page, served),
  }
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? '')
}

async function rendererOf(page: GuidePage, served: readonly GuidePage[]) {
  const { Renderer } = await import('marked')
  class GuideRenderer extends Renderer {
    override heading({ tokens, depth, text }: Tokens.Heading): string {
      // A section of a language has the anchor itself.
      const anchor = languages.has(text) ? '' : ` id="${anchorOf(text)}"`
      return `<h${depth}${anchor}>${this.parser.parseInline(tokens)}</h${depth}>\n`
    }

    /** Long lines scroll: the keyboard must reach them. */
    override code({ text, lang = 'text' }: Tokens.Code): string {
      return `<div class="code" data-language="${escaped(lang)}"><pre tabindex="0"><code>${escaped(text)}\n</code></pre></div>\n`
    }

    override table(token: Tokens.Table): string {
      return `<div class="table" tabindex="0">${super.table(token)}</div>\n`
    }

    override tablecell({ tokens, header }: Tokens.TableCell): string {
      const content = this.parser.parseInline(tokens)
      // A header without a text names nothing.
      return header && content !== '' ? `<th scope="col">${content}</th>\n` : `<td>${content}</td>\n`
    }

    /** A file that is no page is only named. */
    override link({ href, tokens }: Tokens.Link): string {
      const content = this.parser.parseInline(tokens)
      const target = addressFrom(page, href, served)
      return target === undefined ? content : `<a href="${escaped(target)}">${content}</a>`
    }
  }
  return new GuideRenderer()
}

/** The address of a link, relative to that of the page; undefined if it leads to no page. */
function addressFrom(page: GuidePage, href: string, served: readonly GuidePage[]): string | undefined {
  if (/^(https?:|#)/.test(href)) return href
  const [file = '', fragment] = href.split('#')
  const source = posix.join(posix.dirname(page.source), file)
  const target = served.find((other) => other.source === source)
  if (target === undefined) return undefined
  return `${relativePath(page, target)}${fragment === undefined ? '' : `#${fragment}`}`
}

function relativePath(from: GuidePage, to: GuidePage): string {
  const relative = posix.relative(posix.dirname(from.path), to.path)
  return relative === '' ? `../${posix.basename(to.path)}` : relative
}

/** As GitHub makes it, so that the links in the files lead to it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

function isHeading(token: Token | undefined, depth: number): token is Tokens.Heading {
  return token?.type === 'heading' && (token as Tokens.Heading).depth <= depth
}

function titleOf(tokens: readonly Token[]): string {
  return (
    tokens
      .find((token) => isHeading(token, 1))
      ?.raw.replace(/^#\s*/, '')
      .trim() ?? ''
  )
}

/** For search engines and previews. A long sentence ends with `…`. */
function firstSentenceOf(tokens: readonly Token[]): string {
  const paragraph = tokens.find(({ type }) => type === 'paragraph') as Tokens.Paragraph | undefined
  const text = (paragraph?.text ?? '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
  return /^.{20,150}?\.(?= |$)/.exec(text)?.[0] ?? `${text.slice(0, 140).replace(/\W*\s\S*$/, '')} …`
}

/** The page as HTML, with a section for each language. */
function contentOf(tokens: readonly Token[], render: (tokens: Token[]) => string): string {
  const isLanguage = (token: Token | undefined) => isHeading(token, 2) && languages.has(token.text)
  let html = ''
  for (let at = 0; at < tokens.length; ) {
    const end = tokens.findIndex((token, index) => index > at && isHeading(token, 2))
    const part = tokens.slice(at, end === -1 ? undefined : end)
    const [first] = part
    if (!isLanguage(first)) html += render(part)
    else {
      if (at === 0 || !html.endsWith(endOfLanguages)) html += '<div class="languages">\n'
      else html = html.slice(0, -endOfLanguages.length)
      html += `<section id="${anchorOf((first as Tokens.Heading).text)}">\n${render(part)}</section>\n${endOfLanguages}`
    }
    at += part.length
  }
  return html
}

const endOfLanguages = '</div>\n'

/** The parts of a page that has several. */
function headingsOf(tokens: readonly Token[]): string {
  const headings = tokens.filter((token) => isHeading(token, 2) && token.depth === 2) as Tokens.Heading[]
  if (headings.length < 2) return ''
  const items = headings.map(({ text }) => `<li><a href="#${anchorOf(text)}">${escaped(text)}</a></li>`)
  return `<h2>On this page</h2>\n<ul>${items.join('\n')}</ul>\n`
}

function navigation(current: GuidePage, served: readonly GuidePage[]): string {
  const groups = guideGroups.map(({ title, pages }) => {
    const links = pages
      .filter((page) => served.includes(page))
      .map((page) => {
        const mark = page === current ? ' aria-current="page"' : ''
        return `<li><a href="${relativePath(current, page)}"${mark}>${page.title}</a></li>`
      })
    return `<h2>${title}</h2>\n<ul>${links.join('\n')}</ul>`
  })
  return groups.join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
