// Renders the pages of docs/ to HTML: headings with the anchors that GitHub gives them, and links between
// pages as they lie here. The sources are the repository's own.
import { Marked, type Tokens } from 'marked'

export interface Section {
  readonly id: string
  readonly heading: string
  /** 1 for the title of the page. */
  readonly depth: number
  /** Plain words, for the search. */
  text: string
}

export interface Rendered {
  readonly title: string
  readonly html: string
  /** The first one is the page itself. */
  readonly sections: readonly Section[]
}

/** As GitHub makes them, so that links into a page work in both places. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

const plainOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', '’')
    .replace(/&(?:lt|gt|quot|amp);/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** @param link what a link's address becomes. */
export function renderMarkdown(source: string, link: (href: string) => string): Rendered {
  const sections: Section[] = []
  const marked = new Marked({ async: false, gfm: true })
  const note = (html: string): void => {
    const section = sections.at(-1)
    if (section) section.text = `${section.text} ${plainOf(html)}`.trim()
  }
  marked.use({
    // An address that stands in the text is an example, and leads nowhere.
    tokenizer: { url: () => undefined },
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const html = this.parser.parseInline(tokens)
        const heading = plainOf(html)
        const id = slugOf(heading)
        sections.push({ id, heading, depth, text: '' })
        return depth === 1 ? `<h1>${html}</h1>` : `<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>`
      },
      link({ href, tokens }: Tokens.Link): string {
        return `<a href="${link(href)}">${this.parser.parseInline(tokens)}</a>`
      },
      paragraph({ tokens }: Tokens.Paragraph): string {
        const html = this.parser.parseInline(tokens)
        note(html)
        return `<p>${html}</p>`
      },
      listitem({ tokens }: Tokens.ListItem): string {
        // Items with a blank line between them are paragraphs, which note themselves.
        for (const token of tokens)
          if (token.type === 'text') note(this.parser.parseInline((token as Tokens.Text).tokens ?? []))
        return `<li>${this.parser.parse(tokens)}</li>\n`
      },
      tablecell({ tokens, header }: Tokens.TableCell): string {
        const html = this.parser.parseInline(tokens)
        note(html)
        return header && html !== '' ? `<th scope="col">${html}</th>` : `<td>${html}</td>`
      },
    },
  })
  const html = (marked.parse(source) as string)
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
  return { title: sections[0]?.heading ?? '', html, sections }
}
