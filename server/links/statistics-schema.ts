// What the statistics of links and groups take and answer.
import { Type } from 'typebox'
import { open, windowQuery, windowShape } from '../http/shapes.ts'

export const StatisticsQuery = Type.Object(windowQuery)

export const StatisticsShape = Type.Object(
  {
    ...windowShape,
    clicks: Type.Integer({ description: 'Of people.' }),
    visitors: Type.Integer({ description: 'People who clicked, each once a day.' }),
    bots: Type.Record(Type.String(), Type.Integer(), {
      description: 'Bot clicks by `bot_reason`; each click of a flood counts.',
    }),
    count_bots: Type.Integer(),
    arrived: Type.Integer({ description: 'Visitors who saw a page within 60 seconds after a click.' }),
    already_on_site: Type.Integer({
      description: 'Those of them who had been on the site that day before.',
    }),
    engaged: Type.Integer({ description: 'Those who arrived and did not bounce from there.' }),
    arrival_rate: Type.Number({ description: 'arrived / visitors.' }),
    engagement_rate: Type.Number({ description: 'engaged / arrived.' }),
  },
  open,
)
