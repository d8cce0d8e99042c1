// What the template of a group fills in for a link, as far as the link is known while it is typed.
import { filledTemplate } from '../../../server/links/utm-template.ts'
import { type LinkGroup, utmNames, type UtmValues } from '../../api/links.ts'
import type { UtmTexts } from './suggest.ts'

/** Stands for a code that is drawn when the link is created. */
const SAMPLE_CODE = 'aBc1234'

type Templated = Pick<LinkGroup, 'name' | 'utm_template'>

export interface Typed {
  /** '' for a random one. */
  readonly code: string
  readonly name: string
}

const texts = (valueOf: (name: keyof UtmTexts) => string): UtmTexts =>
  Object.fromEntries(utmNames.map((name) => [name, valueOf(name)])) as unknown as UtmTexts

export const templateTexts = (template: UtmValues): UtmTexts => texts((name) => template[name] ?? '')

export const hasTemplate = ({ utm_template }: Templated): boolean =>
  utmNames.some((name) => (utm_template[name] ?? '') !== '')

/** '' where the template says nothing. */
export function filledTexts({ name: group, utm_template }: Templated, { code, name }: Typed): UtmTexts {
  const source = { code: code.trim() || SAMPLE_CODE, name: name.trim() || null, group }
  const filled = filledTemplate(templateTexts(utm_template), source)
  return texts((key) => filled[key] ?? '')
}

/** With the template where nothing is typed. */
export const typedOrFilled = (typed: UtmTexts, filled: UtmTexts): UtmTexts =>
  texts((name) => typed[name] || filled[name])
