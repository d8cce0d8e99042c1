// How the dashboard is built: plain files for the browsers of the last years (those with popovers), with addresses relative to wherever the service puts them.
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** `npm run dev` shows the dashboard at Vite's own address and asks the service for everything else. */
const service = process.env['FOOTFALL_SERVICE'] ?? 'http://127.0.0.1:8080'

/** Runs before anything is painted, so it is no module, and is left as it is (public/theme.js). */
const themeFirst: Plugin = {
  name: 'theme-first',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { server }) => [
      { tag: 'script', attrs: { src: server ? '/theme.js' : './theme.js' }, injectTo: 'head-prepend' },
    ],
  },
}

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), themeFirst],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: ['chrome119', 'edge119', 'firefox125', 'safari17.4'],
    // A data: address in a style sheet would need a wider policy than the files have.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true, // which files a page needs (test/dashboard-bundle.test.ts); it is not served
    rolldownOptions: {
      output: {
        // Every page is made of parts: one file that is loaded once, instead of twenty small ones. Those that the overview, with which
        // most people begin, does without come with the pages that they are on.
        codeSplitting: {
          groups: [
            {
              name: 'parts',
              test: /\/dashboard\/parts\/(?!(?:asking|choose-file|columns|copy|detail|figures|preview|record-list|revocable-list|timeline|two-lines)\.)/,
            },
          ],
        },
        // Pages are all called page.tsx: their folders say which.
        chunkFileNames: ({ facadeModuleId: id, name }) =>
          `assets/${/pages\/([\w-]+)\/page\.tsx$/.exec(id ?? '')?.[1] ?? name}-[hash].js`,
      },
    },
  },
  server: {
    port: 5173, // tools/dev.mjs tells the service
    strictPort: true,
    // The same origin as far as the browser can tell, and as far as the service does: it compares Origin with Host.
    proxy: Object.fromEntries(
      ['/manage', '/v2', '/icons', '/healthz'].map((path) => [path, { target: service, changeOrigin: false }]),
    ),
  },
})
