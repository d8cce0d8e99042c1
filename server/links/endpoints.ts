// The endpoints of short links and their groups: those of /v2/property for tokens, and what the owner sees of
// them beyond these under /manage.
import { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import { role, token } from '../http/access.ts'
import { chapter, get, getRaw, post, remove } from '../http/endpoint.ts'
import { deleted, deletedFields, linkedPageFields, pageFields } from '../http/shapes.ts'
import { linkedPage, paginateLinked, readPageQuery, unlessEmpty } from '../kernel/page.ts'
import { parseWindow } from '../kernel/window.ts'
import { readAvailability, wordsOfAddress } from './availability.ts'
import { withBeginning } from '../sessions/sessions.ts'
import { exportLinks, type Wanted } from './export.ts'
import { createGroup, getGroup, listGroups, removeGroup, updateGroup } from './groups.ts'
import { IMPORT_BODY_BYTES, importFile } from './import.ts'
import { noFigures, readListFigures } from '../clicks/list-facts.ts'
import { createLink, getLink, listLinks, removeLink, searchedWords, updateLink } from './links.ts'
import { linkRuleEndpoints } from './rules-endpoints.ts'
import { linkCardEndpoints } from './card-endpoints.ts'
import { linkDomainEndpoints } from './domain-endpoints.ts'
import { placeUrl } from './domain-model.ts'
import { ownHostsOf } from './domain-records.ts'
import { linkEditEndpoints } from './edits-endpoints.ts'
import { type Domain, domains, groupsOf } from './link-model.ts'
import * as schema from './schema.ts'
import { StatisticsQuery, StatisticsShape } from './statistics-schema.ts'
import { readStatistics } from '../clicks/statistics.ts'

/** CSS pixels of an SVG, pixels of a PNG: sharp on a page and on small print. */

const reading = token('shortlinks:read')
const writing = token('shortlinks:write')

const groups = [
  get(
    '/v2/property/link-groups',
    reading,
    {
      summary: 'List link groups, newest first',
      query: schema.GroupsQuery,
      answer: { groups: schema.GroupList, ...linkedPageFields },
    },
    async ({ context, property, query, address }) => {
      const { data, ...rest } = await linkedPage(query, address, (ask) => listGroups(context, property.id, ask))
      return { groups: data, ...rest }
    },
  ),
  get(
    '/v2/property/link-groups/:group',
    reading,
    { summary: 'Get a link group', answer: { group: schema.GroupShape } },
    async ({ context, property, params }) => ({ group: await getGroup(context, property.id, params.group) }),
  ),
  post(
    '/v2/property/link-groups',
    writing,
    { summary: 'Create a link group', body: schema.NewGroup, answer: { group: schema.GroupShape } },
    async ({ context, property, body }) => ({ group: await createGroup(context, property.id, body) }),
  ),
  post(
    '/v2/property/link-groups/:group',
    writing,
    { summary: 'Update a link group', body: schema.ChangedGroup, answer: { group: schema.GroupShape } },
    async ({ context, property, params, body }) => ({
      group: await updateGroup(context, property.id, params.group, body),
    }),
  ),
  remove(
    '/v2/property/link-groups/:group',
    writing,
    { summary: 'Delete a link group with its links; its clicks stay', answer: deletedFields },
    async ({ context, property, params }) => {
      await removeGroup(context, property.id, params.group)
      return deleted
    },
  ),
]

const links = [
  get(
    '/v2/property/links',
    reading,
    {
      summary: 'List short links, newest first',
      query: schema.LinksQuery,
      answer: pageFields(schema.LinkShape),
    },
    async ({ context, property, query, address }) => {
      const scope = { propertyId: property.id, groupId: unlessEmpty(query.group_id) ?? null }
      return linkedPage(query, address, (ask) => listLinks(context, scope, ask))
    },
  ),
  get(
    '/v2/property/links/:link',
    reading,
    { summary: 'Get a short link', answer: { link: schema.LinkShape } },
    async ({ context, property, params }) => ({ link: await getLink(context, property.id, params.link) }),
  ),
  post(
    '/v2/property/links',
    writing,
    { summary: 'Create a short link', body: schema.NewLink, answer: { link: schema.LinkShape } },
    async ({ context, property, body }) => ({ link: await createLink(context, property.id, body) }),
  ),
  post(
    '/v2/property/links/:link',
    writing,
    { summary: 'Update a short link', body: schema.ChangedLink, answer: { link: schema.LinkShape } },
    async ({ context, property, params, body }) => ({
      link: await updateLink(context, property.id, params.link, body),
    }),
  ),
  remove(
    '/v2/property/links/:link',
    writing,
    { summary: 'Delete a short link; its clicks stay', answer: deletedFields },
    async ({ context, property, params }) => {
      await removeLink(context, property.id, params.link)
      return deleted
    },
  ),
]

async function* exportTexts(context: Context, wanted: Wanted): AsyncGenerator<string> {
  for await (const { text } of exportLinks(context, wanted)) yield text
}

/** Archived links are left out where nobody asks for them. */
const readChosen = ({ tag, state = 'active' }: { readonly tag?: string; readonly state?: schema.ListState }) => ({
  tag: unlessEmpty(tag),
  isArchived: state === 'all' ? undefined : state === 'archived',
})

const managed = [
  get(
    '/manage/properties/:property/links',
    role('viewer'),
    {
      summary: 'List short links with their results in a period, sorted by them or newest first',
      query: schema.ListQuery,
      answer: schema.listFields,
    },
    async ({ context, property, query, address }) => {
      const page = readPageQuery(query)
      const window = parseWindow(query, context.now(), await withBeginning(context.facts, property, query))
      const words = await searchedWords(context, property.id, query.search ?? '')
      const scope = {
        propertyId: property.id,
        groupId: unlessEmpty(query.group_id) ?? null,
        words,
        ...readChosen(query),
      }
      const { sort: by, order } = query
      const { rows, total } = await listLinks(context, scope, page, by && { by, order, span: window })
      const figures = await readListFigures(context.facts, property.id, rows, window)
      const shown = rows.map((link) => ({ ...link, figures: figures.get(link.id) ?? noFigures }))
      return { ...paginateLinked(shown, page, total, address), period: window.period, showing: window.showing }
    },
  ),
  get(
    '/manage/properties/:property/link-domains',
    role('viewer'),
    { summary: 'List the short domains of a property', answer: schema.linkDomainsFields },
    async ({ context, property }) => {
      const hosts = await ownHostsOf(context.records, property.id)
      const urlOf = (domain: Domain) => placeUrl(context.config, { domain, host: hosts.get(domain) ?? null })
      return { domains: domains.map((domain) => ({ domain, url: urlOf(domain) })) }
    },
  ),
  get(
    '/manage/properties/:property/links/code',
    role('admin'),
    {
      summary: 'Check whether a code is available, and get suggestions',
      query: schema.CodeQuery,
      answer: schema.codeFields,
    },
    async ({ context, property, query: { domain = 'link-a', code = '', name = '', destination_url = '' } }) =>
      readAvailability(context.records, property.id, {
        domain,
        code: code.trim(),
        words: [name, wordsOfAddress(destination_url)],
      }),
  ),
  post(
    '/manage/properties/:property/links/import',
    role('admin'),
    {
      summary: 'Check short links in CSV, and create them all if every row is valid',
      body: schema.ImportBody,
      bodyBytes: IMPORT_BODY_BYTES,
      answer: schema.importFields,
    },
    async ({ context, property, body }) =>
      importFile(context, property.id, {
        csv: body.csv,
        from: body.from,
        group: unlessEmpty(body.group),
        domain: unlessEmpty(body.domain),
        createGroups: body.create_groups ?? false,
        keepCodes: body.keep_codes ?? false,
        isTrial: body.is_trial ?? false,
      }),
  ),
  getRaw(
    '/manage/properties/:property/links/export',
    role('viewer'),
    {
      summary: 'Export all active short links as CSV, oldest first',
      query: schema.ExportQuery,
      produces: ['text/csv'],
      rows: [schema.LinkRow],
    },
    async ({ context, property, query, reply }) => {
      const group = unlessEmpty(query.group_id)
      const groupId = group === undefined ? null : (await getGroup(context, property.id, group)).id
      reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="links.csv"')
      return reply.send(Readable.from(exportTexts(context, { propertyId: property.id, groupId })))
    },
  ),
  get(
    '/manage/properties/:property/links/:link/statistics',
    role('viewer'),
    {
      summary: 'Get clicks, arrivals and engaged sessions of a link',
      query: StatisticsQuery,
      answer: { statistics: StatisticsShape },
    },
    async ({ context, property, params, query }) => {
      const link = await getLink(context, property.id, params.link)
      const owner = { linkId: link.id, groupIds: groupsOf(link) }
      return { statistics: await readStatistics(context, property, owner, query) }
    },
  ),
  get(
    '/manage/properties/:property/link-groups/:group/statistics',
    role('viewer'),
    {
      summary: 'Get clicks, arrivals and engaged sessions of a link group',
      query: StatisticsQuery,
      answer: { statistics: StatisticsShape },
    },
    async ({ context, property, params, query }) => {
      const group = await getGroup(context, property.id, params.group)
      return { statistics: await readStatistics(context, property, { groupIds: [group.id] }, query) }
    },
  ),
]

export const linkEndpoints = [
  ...chapter('Short links', [...groups, ...links]),
  ...chapter('Management', managed),
  ...linkRuleEndpoints,
  ...linkCardEndpoints,
  ...linkDomainEndpoints,
  ...linkEditEndpoints,
]
