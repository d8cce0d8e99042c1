// `footfall routes`: the endpoints of the service and who may call them, as the server registers them. Needs neither settings nor stores.
import { endpoints } from '../server/endpoints.ts'
import { labelOf } from '../server/http/access.ts'
import { answer, columns, readOptions, UsageError, write } from './command.ts'

const usage = `footfall routes [--json]

Lists the endpoints: method, URL, who may call, and what each is for.`

const routeOf = ({ method, url, access, contract }: (typeof endpoints)[number]) => ({
  method,
  url,
  access: labelOf(access.right),
  summary: contract.summary,
})

export async function routes(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {})
  if (positionals.length > 0) throw new UsageError('routes takes no words')
  if (values.help) {
    write(usage)
    return 0
  }
  const listed = endpoints.map(routeOf)
  const cells = listed.map(({ method, url, access, summary }) => [method, url, access, summary])
  answer(values.json, { routes: listed }, columns([['METHOD', 'URL', 'ACCESS', 'SUMMARY'], ...cells]))
  return 0
}
