// Bundles the app into dist/, which the example server shows at /react/.
import { copyFileSync } from 'node:fs'
import { buildSync } from 'esbuild'

buildSync({ entryPoints: ['main.tsx'], outdir: 'dist', bundle: true, minify: true, jsx: 'automatic' })
copyFileSync('index.html', 'dist/index.html')
