// UTM templates of groups: values that a new link of the group gets where nothing is said of them, with
// placeholders for what is known of the link by then. No input or output: the dashboard fills them in too.
import { type Utm, type UtmName, utmNames } from './link-model.ts'

export const placeholders = ['code', 'name', 'group'] as const
export type Placeholder = (typeof placeholders)[number]

type UtmGiven = Readonly<Partial<Record<UtmName, string | null>>>

/** What the placeholders stand for, as it is written. */
export interface TemplateSource {
  readonly code: string
  /** Of the link; its code stands for one without a name. */
  readonly name: string | null
  readonly group: string
}

const anyPlaceholder = /\{([^{}]*)\}/g

const isPlaceholder = (text: string): text is Placeholder => (placeholders as readonly string[]).includes(text)

/** The first word in braces that is no placeholder; undefined where there is none. */
export const unknownPlaceholder = (template: string): string | undefined =>
  [...template.matchAll(anyPlaceholder)].map(([, name = '']) => name).find((name) => !isPlaceholder(name))

/** “Spring letter, 2026” → `spring-letter-2026` */
export const utmSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')

/** The values of a template with its placeholders filled in; those that come to nothing are left out. */
export function filledTemplate(template: Utm, { code, name, group }: TemplateSource): Utm {
  const words: Readonly<Record<Placeholder, string>> = {
    code,
    name: utmSlug(name ?? '') || code,
    group: utmSlug(group),
  }
  const fill = (text: string): string =>
    text.replaceAll(anyPlaceholder, (whole, word: string) => (isPlaceholder(word) ? words[word] : whole))
  const filled = utmNames.map((key) => [key, fill(template[key] ?? '')] as const)
  return Object.fromEntries(filled.filter(([, text]) => text !== ''))
}

/**
 * What a new link is given, with the template where nothing is said: a value that is null or '' says that
 * there is none, and null in place of all says so of all five.
 */
export const withTemplate = (given: UtmGiven | null | undefined, template: Utm): UtmGiven | null =>
  given === null ? null : { ...template, ...given }
