// The endpoints of properties and their tokens (/manage/properties): callers see the properties that they
// have a role in.
import { Type } from 'typebox'
import { owner, role, signedIn } from '../http/access.ts'
import { propertiesOf, userIdOf } from '../http/auth.ts'
import { chapter, get, post, remove } from '../http/endpoint.ts'
import { deleted, deletedFields, pageFields } from '../http/shapes.ts'
import { linkedPage } from '../kernel/page.ts'
import { invalid } from '../kernel/problem.ts'
import { readDeadLinks, readPropertyChange, readPropertyDraft, readTokenDraft } from './drafts.ts'
import {
  createProperty,
  listProperties,
  removeProperty,
  renewProxyKey,
  propertyJson,
  updateProperty,
} from './properties.ts'
import type { Property } from './property-model.ts'
import * as schema from './schema.ts'
import { createToken, listTokens, revokeToken } from './tokens.ts'

/** PostgreSQL does not accept NUL, not even in a search. @throws Problem('validation_failed') */
function readSearch(given = ''): string {
  if (given.includes('\0')) throw invalid('search', 'search contains an invalid character.')
  return given.trim()
}

function keptDaysOf({ kept_days: own }: Property, { retentionDays }: { readonly retentionDays: number | null }) {
  const days = [own, retentionDays].filter((each) => each !== null)
  return days.length === 0 ? null : Math.min(...days)
}

const properties = [
  get(
    '/manage/properties',
    signedIn,
    {
      summary: 'List the properties',
      query: schema.PropertyQuery,
      answer: pageFields(schema.PropertyShape),
      says: 'A page, newest first.',
    },
    async ({ context, caller, query, address }) => {
      const filter = { ids: propertiesOf(caller), search: readSearch(query.search) }
      return linkedPage(query, address, async (ask) => {
        const { rows, total } = await listProperties(context, ask, filter)
        return { rows: rows.map(propertyJson), total }
      })
    },
  ),
  post(
    '/manage/properties',
    owner,
    { summary: 'Create a property', body: schema.NewProperty, answer: { property: schema.PropertyShape } },
    async ({ context, body }) => {
      const draft = { ...readPropertyDraft(body), ...(await readDeadLinks(context, body)) }
      return { property: propertyJson(await createProperty(context, draft)) }
    },
  ),
  get(
    '/manage/properties/:property',
    role('viewer'),
    {
      summary: 'Get a property',
      answer: schema.detailFields,
      says: 'The property, the caller’s role in it, and for how many days what is collected is kept.',
    },
    async ({ context: { config }, property, role }) => ({
      property: propertyJson(property),
      role,
      kept_days: { facts: keptDaysOf(property, config), deliveries: config.deliveryDays },
    }),
  ),
  post(
    '/manage/properties/:property',
    role('admin'),
    { summary: 'Update a property', body: schema.ChangedProperty, answer: { property: schema.PropertyShape } },
    async ({ context, property, body }) => {
      const change = { ...readPropertyChange(body), ...(await readDeadLinks(context, body, property.id)) }
      return { property: propertyJson(await updateProperty(context, context.properties, property.id, change)) }
    },
  ),
  remove(
    '/manage/properties/:property',
    role('owner'),
    { summary: 'Delete a property', answer: deletedFields },
    async ({ context, property }) => {
      await removeProperty(context, context, property.id)
      return deleted
    },
  ),
]

/** Tokens and keys: not for viewers. */
const keys = [
  post(
    '/manage/properties/:property/proxy-key',
    role('admin'),
    {
      summary: 'Create a proxy key',
      answer: { property: schema.PropertyShape, proxy_key: Type.String() },
      says: 'The key for X-PROXY-KEY, shown once. An earlier one stops working.',
    },
    async ({ context, property: { id } }) => {
      const { property, proxyKey } = await renewProxyKey(context, context.properties, id)
      return { property: propertyJson(property), proxy_key: proxyKey }
    },
  ),
  get(
    '/manage/properties/:property/tokens',
    role('admin'),
    {
      summary: 'List the tokens of a property',
      query: schema.PageQuery,
      answer: pageFields(schema.TokenShape),
      says: 'A page, newest first.',
    },
    async ({ context, property, query, address }) =>
      linkedPage(query, address, (ask) => listTokens(context, property.id, ask)),
  ),
  post(
    '/manage/properties/:property/tokens',
    role('admin'),
    {
      summary: 'Create a token',
      body: schema.NewToken,
      answer: { token: schema.TokenShape, access_token: Type.String() },
      says: 'The access token is shown once; only a hash of it is kept.',
    },
    async ({ context, property, caller, body }) => {
      const { token, accessToken } = await createToken(context, property.id, readTokenDraft(body), userIdOf(caller))
      return { token, access_token: accessToken }
    },
  ),
  remove(
    '/manage/properties/:property/tokens/:token',
    role('admin'),
    { summary: 'Revoke a token', answer: deletedFields },
    async ({ context, property, params }) => {
      await revokeToken(context, context.tokens, property.id, params.token)
      return deleted
    },
  ),
]

export const propertyEndpoints = chapter('Management', [...properties, ...keys])
