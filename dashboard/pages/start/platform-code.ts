// The tracking code as each platform takes it. Keys and URLs need no escaping, in HTML or in a string.
import { scriptUrl } from '../../snippet.ts'

export const platforms = [
  'html',
  'wordpress',
  'shopify',
  'webflow',
  'squarespace',
  'gtm',
  'next',
  'nuxt',
  'astro',
  'sveltekit',
  'laravel',
  'rails',
  'django',
] as const
export type Platform = (typeof platforms)[number]

export interface Tracked {
  readonly outbound: boolean
  readonly downloads: boolean
}

/** Names of attributes, and what they are set to where they are. */
const attributesOf = (key: string, { outbound, downloads }: Tracked): readonly (readonly [string, string?])[] => [
  ['data-key', key],
  ...(outbound ? [['data-outbound'] as const] : []),
  ...(downloads ? [['data-downloads'] as const] : []),
]

const tagOf = (key: string, tracked: Tracked, more = ''): string => {
  const attributes = attributesOf(key, tracked).map(([name, value]) =>
    value === undefined ? name : `${name}="${value}"`,
  )
  return `<script ${more}defer src="${scriptUrl('/signals.js')}" ${attributes.join(' ')}></script>`
}

/** A tag manager creates scripts anew and drops their attributes: this one creates it itself. */
const tagManagerCode = (key: string, tracked: Tracked): string => `<script>
  var signals = document.createElement('script')
  signals.src = '${scriptUrl('/signals.js')}'
${attributesOf(key, tracked)
  .map(([name, value = '']) => `  signals.setAttribute('${name}', '${value}')`)
  .join('\n')}
  document.head.appendChild(signals)
</script>`

const nextCode = (key: string, tracked: Tracked): string => `import Script from 'next/script'

// Inside <body>:
<Script
  src="${scriptUrl('/signals.js')}"
${attributesOf(key, tracked)
  .map(([name, value = '']) => `  ${name}="${value}"`)
  .join('\n')}
/>`

const nuxtCode = (key: string, tracked: Tracked): string => {
  const attributes = attributesOf(key, tracked).map(([name, value = '']) => `'${name}': '${value}'`)
  return `export default defineNuxtConfig({
  app: {
    head: {
      script: [{ src: '${scriptUrl('/signals.js')}', defer: true, ${attributes.join(', ')} }],
    },
  },
})`
}

const own: Readonly<Partial<Record<Platform, (key: string, tracked: Tracked) => string>>> = {
  gtm: tagManagerCode,
  next: nextCode,
  nuxt: nuxtCode,
  astro: (key, tracked) => tagOf(key, tracked, 'is:inline '),
}

export const platformCode = (platform: Platform, key: string, tracked: Tracked): string =>
  (own[platform] ?? tagOf)(key, tracked)

/** For the template of a 404 page, which then is an event `404`. */
export const missingCode = (key: string, tracked: Tracked): string =>
  tagOf(key, tracked).replace('></script>', ' data-status="404"></script>')
