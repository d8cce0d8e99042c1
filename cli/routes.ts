// `footfall routes`: the endpoints of the service and their access, as the server registers them. Needs
// neither settings nor stores.
import { endpoints } from '../server/endpoints.ts'
import { labelOf } from '../server/http/access.ts'
import { describedRaw, hiddenRaw } from '../server/raw-routes.ts'
import { answer, columns, readOptions, UsageError, write } from './command.ts'

const usage = `footfall routes [--json | --markdown]

Lists the endpoints: method, URL, who may call it and what it does. --markdown: the format of docs/api/README.md.`

const listed = [
  ...endpoints.map(
    ({ method, url, access, contract }) => [method, url, labelOf(access.right), contract.summary] as const,
  ),
  ...describedRaw,
  ...hiddenRaw,
]

/** The table of docs/api/README.md. */
const markdown = (): string =>
  [['Method', 'URL', 'Access', 'What it is for'], ['---', '---', '---', '---'], ...listed]
    .map(
      ([method, url, access, summary]) =>
        `| ${method} | ${url.startsWith('/') ? `\`${url}\`` : url} | ${access} | ${summary} |`,
    )
    .join('\n')

export async function routes(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, { markdown: { type: 'boolean' } })
  if (positionals.length > 0) throw new UsageError('routes takes no words')
  if (values.help) {
    write(usage)
    return 0
  }
  if (values.markdown) {
    write(markdown())
    return 0
  }
  const objects = listed.map(([method, url, access, summary]) => ({ method, url, access, summary }))
  answer(values.json, { routes: objects }, columns([['METHOD', 'URL', 'ACCESS', 'SUMMARY'], ...listed]))
  return 0
}
