// What an owner of the demo's shop would have set up beside its traffic: goals, notes on the graph, and an
// automation whose endpoint is down. Made once, when there is no goal yet; what the owner changes stays.
import { createAnnotation } from '../annotations/annotations.ts'
import { createAutomation, testAutomation } from '../automations/automations.ts'
import type { Parts } from '../context.ts'
import { createConversion, listConversions } from '../conversions/conversions.ts'
import { DAY_MS } from '../kernel/days.ts'
import type { Property } from '../properties/properties.ts'

const goals = [
  { name: 'Bought a lamp', event_type: 'acquisition', event_value: null },
  { name: 'Signed up for the letter', event_type: 'event', event_value: 'letter_signup' },
  { name: 'Sent a question', event_type: 'form_submit', event_value: null },
] as const

const notes = [
  { daysAgo: 24, text: 'New photographs on all lamp pages' },
  { daysAgo: 11, text: 'The autumn letter went out' },
  { daysAgo: 3, text: 'Free delivery from 80 euros' },
] as const

/** A name that no resolver knows: its deliveries fail as they would for an owner whose endpoint is down. */
const ENDPOINT = 'https://helpdesk.demo.example/hooks/questions'

async function addAutomation(context: Parts, { id, plan }: Property): Promise<void> {
  const { automation } = await createAutomation(
    context,
    { id, plan },
    {
      name: 'Questions to the help desk',
      trigger: { event_type: 'form_submit', event_value: null },
      actions: [{ type: 'webhook', url: ENDPOINT, payload: 'envelope' }],
    },
  )
  await testAutomation(context, id, automation.id)
}

export async function openGoals(context: Parts, property: Property): Promise<void> {
  const { total } = await listConversions(context, property.id, { page: 1, perPage: 1 })
  if (total > 0) return
  for (const goal of goals) await createConversion(context, property.id, goal)
  const nowMs = context.now()
  for (const { daysAgo, text } of notes)
    await createAnnotation(context, property.id, { ts: Math.floor((nowMs - daysAgo * DAY_MS) / 1000), text })
  await addAutomation(context, property)
}
