// How the dashboard is built: static files for browsers with popovers, with addresses relative to index.html.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { defineConfig, type HtmlTagDescriptor, type Plugin, type Rolldown } from 'vite'
import { text } from './texts/en/first.ts'
import { typeface } from './typeface.ts'

/** `npm run dev` shows the dashboard at Vite's own address and asks the service for everything else. */
const service = process.env['FOOTFALL_SERVICE'] ?? 'http://127.0.0.1:8080'

/** Runs before anything is painted, and asks before anything is loaded: it is in the page itself. */
const begin = transformSync(readFileSync(join(import.meta.dirname, 'begin.js'), 'utf8'), {
  minify: true,
  target: 'es2020',
}).code.trim()

/**
 * A style sheet in the head would keep everything from being painted until it is there; at the end of the
 * body it keeps only scripts waiting. What the page is painted with until then is in its own <style>
 * (theme.css).
 */
const paintFirst: Plugin = {
  name: 'paint-first',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const sheets = /[ \t]*<link rel="stylesheet"[^>]*>\n?/g
      const ofBody = (html.match(sheets) ?? []).join('')
      return html
        .replaceAll(sheets, '')
        .replace('</title>', () => `</title>\n    <script>${begin}</script>`)
        .replace('</body>', () => `${ofBody}  </body>`)
    },
  },
}

/** What is painted before any code is there (theme.css, #first); dashboard.tsx takes it away. */
const firstView: Plugin = {
  name: 'first-view',
  transformIndexHtml: (html) =>
    html.replace(/(<section id="first"[^>]*>)/, `$1<div><b>${text.title}</b><p>${text.loading}</p></div>`),
}

/** What a file of the build needs before it runs, itself first. */
function filesOf(bundle: Rolldown.OutputBundle, name: string, known = new Set<string>()): Set<string> {
  const chunk = bundle[name]
  if (chunk?.type !== 'chunk' || known.has(name)) return known
  known.add(name)
  for (const imported of chunk.imports) filesOf(bundle, imported, known)
  for (const style of chunk.viteMetadata?.importedCss ?? []) known.add(style)
  return known
}

const nameOf = (id: string): string | undefined =>
  /\/pages\/([\w-]+)\/page\.tsx$/.exec(id)?.[1] ?? /\/texts\/(\w+\/\w+)\.ts$/.exec(id)?.[1]?.replace('/', '-')

/**
 * main.ts loads texts before code. The browser fetches the code meanwhile: it is needed whatever the language
 * is.
 */
const codeMeanwhile: Plugin = {
  name: 'code-meanwhile',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const filesBy = (is: (chunk: Rolldown.OutputChunk) => boolean): string[] =>
        chunks.filter(is).flatMap(({ fileName }) => [...filesOf(bundle, fileName)])
      const always = filesBy(({ name }) => name === 'dashboard' || name === 'en-frame')
      const isOfOverview = (id: string): boolean => /\/(?:pages\/overview\/page\.tsx|texts\/en\/overview\.ts)$/.test(id)
      const ofOverview = filesBy(({ moduleIds }) => moduleIds.some(isOfOverview))
      const tag = (file: string, page?: string): HtmlTagDescriptor => ({
        tag: 'link',
        attrs: {
          rel: file.endsWith('.css') ? 'stylesheet' : 'modulepreload',
          crossorigin: true,
          href: `./${file}`,
          ...(page !== undefined && { 'data-page': page }),
        },
        injectTo: 'head',
      })
      const first = [...new Set(always)].filter((file) => !html.includes(file))
      const more = [...new Set(ofOverview)].filter((file) => !html.includes(file) && !first.includes(file))
      return [...first.map((file) => tag(file)), ...more.map((file) => tag(file, 'overview'))]
    },
  },
}

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  // Written for React, run by Preact: the first load is 58 kB smaller (docs/decisions/0042-preact.md).
  resolve: {
    alias: [
      { find: /^react\/jsx-(dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react$/, replacement: 'preact/compat' },
      // For Reacts before 18, which Preact is not.
      { find: /^use-sync-external-store\/shim.*$/, replacement: 'preact/compat' },
    ],
  },
  plugins: [firstView, codeMeanwhile, typeface, paintFirst],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: ['chrome119', 'edge119', 'firefox125', 'safari17.4'],
    // A data: address in a style sheet would need a wider policy than the files have.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // What index.html names is there already.
      resolveDependencies: (_file, needed, { hostType }) =>
        needed.filter(
          (file) => hostType === 'html' || !/\/(?:rolldown-runtime|first|dashboard|\w+-frame)-[\w-]+\.\w+$/.test(file),
        ),
    },
    reportCompressedSize: false,
    manifest: true, // which files a page needs (test/dashboard-bundle.test.ts); it is not served
    rolldownOptions: {
      // Of libraries that may also run on a server.
      onLog: (level, log, show) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') show(level, log)
      },
      output: {
        codeSplitting: {
          groups: [
            // What the frame says in a language, which every page needs. The texts of a page are a file of
            // their own.
            {
              name: (id) => /\/texts\/(\w+)\/(?:common|plural|shell)\.ts$/.exec(id)?.[1]?.concat('-frame') ?? null,
              test: /\/dashboard\/texts\//,
              debugName: 'texts',
            },
            // All that main.ts needs to load the rest. No part is among it: parts read texts.
            { name: 'first', test: /\/dashboard\/(?:later|pages|saves-data|texts\/index)\.ts$|rolldown\/runtime/ },
            // The frame with the parts that every page is made of, and what is small and read by many: one
            // file that is loaded once, instead of twenty small ones. Nothing in it reads texts of a page.
            // Parts that the overview, with which most people begin, does without come with the pages that
            // they are on.
            {
              name: 'dashboard',
              test: /\/lucide-react\/.*\/(?:arrow-up|download|globe)\.\w+$|\/dashboard\/(?:dashboard\.tsx$|(?:change|service-words)\.ts$|charts\/(?:geometry|sparkline)\.|parts\/(?!(?:asking|calendar|choose-file|clause-dialog|columns|copy|detail|dialog|edit-list|field|fields|figures|form|form-dialog|form-values|found|guide-link|left-access|owners-only|paged-table|period-panel|period-turn|preview|range-form|recipients|record-list|revocable-list|row-choice|save-form|segments-dialog|sort-choice|status|suggestions|table|table-choice|timeline|two-lines)\.))/,
            },
            // None for the overview's page: it would take what other pages share with it, and they
            // would run its modules without its texts.
          ],
        },
        // Pages are all called page.tsx, and the texts of a page as the page: their folders say which.
        chunkFileNames: ({ facadeModuleId: id, name }) => `assets/${nameOf(id ?? '') ?? name}-[hash].js`,
      },
    },
  },
  server: {
    port: 5173, // tools/dev.mjs tells the service
    strictPort: true,
    fs: { allow: ['..'] }, // the typeface is cut into dist/
    // The same origin as far as the browser can tell, and as far as the service does: it compares Origin with
    // Host.
    proxy: Object.fromEntries(
      ['/manage', '/v2', '/icons', '/healthz'].map((path) => [path, { target: service, changeOrigin: false }]),
    ),
  },
})
