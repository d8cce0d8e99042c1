// Serves the example sites: the plain one at /, the React app at /react/ once it is built. What they say of
// your service (its address, the keys) is put into the pages on the way:  node examples/serve.mjs --service
// http://127.0.0.1:8080 --key ff_… --form … --content … [--port 8090]
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join, normalize } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const here = fileURLToPath(new URL('.', import.meta.url))
const types = { html: 'text/html; charset=utf-8', css: 'text/css', js: 'text/javascript', pdf: 'application/pdf' }
const endingOf = (path) => path.slice(path.lastIndexOf('.') + 1)

/** As they stand in the pages, and what is put in their places. */
const wordsOf = ({ service, key, form, content }) =>
  Object.entries({ 'http://127.0.0.1:8080': service, PROPERTY_KEY: key, FORM_KEY: form, CONTENT_KEY: content })

function filePath(url, reactFolder) {
  const path = normalize(decodeURIComponent(new URL(url, 'http://example').pathname)).replace(/\/$/, '/index.html')
  if (!path.startsWith('/react/')) return join(here, 'site', path)
  // The app draws all of its pages itself.
  return join(reactFolder, path.includes('.') ? path.slice('/react/'.length) : 'index.html')
}

async function answer(request, response, words, reactFolder) {
  try {
    const path = filePath(request.url, reactFolder)
    const bytes = await readFile(path)
    const fill = (text) => words.reduce((filled, [word, own]) => filled.replaceAll(word, own), text)
    const body = endingOf(path) === 'html' ? fill(String(bytes)) : bytes
    response.writeHead(200, { 'content-type': types[endingOf(path)] ?? 'application/octet-stream' }).end(body)
  } catch {
    response.writeHead(404, { 'content-type': types.html }).end('<p>There is no such page.</p>')
  }
}

/** @returns the server, to be listened with. */
export function exampleServer(own, reactFolder = join(here, 'react/dist')) {
  const words = wordsOf(own)
  return createServer((request, response) => void answer(request, response, words, reactFolder))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const text = { type: 'string' }
  const options = { key: text, form: text, content: text, port: { ...text, default: '8090' } }
  const { values } = parseArgs({ options: { service: { ...text, default: 'http://127.0.0.1:8080' }, ...options } })
  const { service, key = '', form = '', content = '', port } = values
  exampleServer({ service, key, form, content }).listen(Number(port), '127.0.0.1', () => {
    console.log(`The examples are at http://127.0.0.1:${port}/ and, once built, http://127.0.0.1:${port}/react/`)
  })
}
