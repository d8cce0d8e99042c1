// Writes the documentation as static files into dist/site: `npm run docs`. The pages are those that the
// service hands out, taken from an app on stores of its own in a temporary folder.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import { openContext } from '../server/context.ts'
import { filesByUrl } from '../server/documentation/documentation.ts'

const site = new URL('../dist/site/', import.meta.url).pathname
const FIRST =
  '<!doctype html><meta charset="utf-8"><title>Footfall</title><meta http-equiv="refresh" content="0;url=docs">\n'

// It has the typeface.
execFileSync(process.execPath, [new URL('build-dashboard.mjs', import.meta.url).pathname], { stdio: 'inherit' })
const files = filesByUrl()
const dataDir = mkdtempSync(join(tmpdir(), 'footfall-docs-'))
const context = await openContext(readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }))
try {
  const app = await openApp(context)
  rmSync(site, { recursive: true, force: true })
  for (const [url, file] of files) {
    const { statusCode, rawPayload } = await app.inject({ url: `/${url}` })
    if (statusCode !== 200) throw new Error(`${url}: ${statusCode}`)
    mkdirSync(dirname(join(site, file)), { recursive: true })
    writeFileSync(join(site, file), rawPayload)
  }
  writeFileSync(join(site, 'index.html'), FIRST)
  await app.close()
  console.log(`${files.size} files in dist/site`)
} finally {
  await context.close()
  rmSync(dataDir, { recursive: true, force: true })
}
