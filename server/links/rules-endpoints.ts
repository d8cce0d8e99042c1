// The endpoints of a link's rules.
import { role } from '../http/access.ts'
import { chapter, get, post } from '../http/endpoint.ts'
import { getRules, setRules, tryRules } from './rules.ts'
import { outcomeFields, RulesBody, RulesShape, TryBody } from './rules-schema.ts'

export const linkRuleEndpoints = chapter('Management', [
  get(
    '/manage/properties/:property/links/:link/rules',
    role('viewer'),
    { summary: 'Get the schedule and targeting rules of a link', answer: { rules: RulesShape } },
    async ({ context, property, params }) => ({ rules: await getRules(context, property.id, params.link) }),
  ),
  post(
    '/manage/properties/:property/links/:link/rules',
    role('admin'),
    { summary: 'Set the dates, rules and split of a link', body: RulesBody, answer: { rules: RulesShape } },
    async ({ context, property, params, body }) => ({
      rules: await setRules(context, property.id, params.link, body),
    }),
  ),
  post(
    '/manage/properties/:property/links/:link/rules/try',
    role('viewer'),
    { isQuestion: true, summary: 'Test where a link would send a visitor', body: TryBody, answer: outcomeFields },
    async ({ context, property, params, body: { visitor, rules } }) =>
      tryRules(context, property, params.link, { input: rules, visitor }),
  ),
])
