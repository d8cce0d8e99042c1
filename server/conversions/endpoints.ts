// The endpoints of conversions, and of how often each was met (/manage/properties/{property}/conversions).
import { role } from '../http/access.ts'
import { chapter, get, post, remove } from '../http/endpoint.ts'
import { deleted, deletedFields, pageFields } from '../http/shapes.ts'
import { linkedPage } from '../kernel/page.ts'
import { sortedPage } from '../kernel/sorting.ts'
import { MAX_CONVERSIONS } from './conversion-model.ts'
import { createConversion, getConversion, listConversions, removeConversion, updateConversion } from './conversions.ts'
import * as schema from './schema.ts'
import { conversionValues, readAllConversionStatistics, readConversionStatistics } from './statistics.ts'

const reading = role('viewer')
const writing = role('admin')

export const conversionEndpoints = chapter('Management', [
  get(
    '/manage/properties/:property/conversions',
    reading,
    {
      summary: 'List the conversions of a property',
      query: schema.ConversionsQuery,
      answer: pageFields(schema.ConversionShape),
      says: 'Newest first, when nothing else is asked for.',
    },
    async ({ context, property, query, address }) =>
      linkedPage(query, address, async (ask) =>
        sortedPage(ask, query, await conversionValues(context, property, query), (page) =>
          listConversions(context, property.id, page),
        ),
      ),
  ),
  post(
    '/manage/properties/:property/conversions',
    writing,
    { summary: 'Define a conversion', body: schema.NewConversion, answer: schema.conversionFields },
    async ({ context, property, body }) => ({ conversion: await createConversion(context, property.id, body) }),
  ),
  get(
    '/manage/properties/:property/conversions/:conversion',
    reading,
    { summary: 'Get a conversion', answer: schema.conversionFields },
    async ({ context, property, params }) => ({
      conversion: await getConversion(context, property.id, params.conversion),
    }),
  ),
  post(
    '/manage/properties/:property/conversions/:conversion',
    writing,
    { summary: 'Update a conversion', body: schema.ChangedConversion, answer: schema.conversionFields },
    async ({ context, property, params, body }) => ({
      conversion: await updateConversion(context, property.id, params.conversion, body),
    }),
  ),
  remove(
    '/manage/properties/:property/conversions/:conversion',
    writing,
    { summary: 'Delete a conversion', answer: deletedFields },
    async ({ context, property, params }) => {
      await removeConversion(context, property.id, params.conversion)
      return deleted
    },
  ),
  get(
    '/manage/properties/:property/conversions/statistics',
    reading,
    {
      summary: 'Get the statistics of all conversions',
      query: schema.WindowQuery,
      answer: { statistics: schema.AllStatisticsShape },
    },
    async ({ context, property, query }) => {
      const { rows } = await listConversions(context, property.id, { page: 1, perPage: MAX_CONVERSIONS })
      return { statistics: await readAllConversionStatistics(context, property, rows, query) }
    },
  ),
  get(
    '/manage/properties/:property/conversions/:conversion/statistics',
    reading,
    {
      summary: 'Get the statistics of a conversion',
      query: schema.WindowQuery,
      answer: { statistics: schema.StatisticsShape },
    },
    async ({ context, property, params, query }) => {
      const conversion = await getConversion(context, property.id, params.conversion)
      return { statistics: await readConversionStatistics(context, property, conversion, query) }
    },
  ),
])
