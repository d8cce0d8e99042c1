// The endpoints of what a form mails (/manage/properties/:property/forms/:form/mail).
import { role } from '../http/access.ts'
import { chapter, get, post } from '../http/endpoint.ts'
import { changeFormMail, readFormMail } from './form-mail.ts'
import * as schema from './schema.ts'

export const formMailEndpoints = chapter('Management', [
  get(
    '/manage/properties/:property/forms/:form/mail',
    role('admin'),
    { summary: 'Get the email settings of a form', answer: schema.formMailFields },
    async ({ context, property, params }) => readFormMail(context, property.id, params.form),
  ),
  post(
    '/manage/properties/:property/forms/:form/mail',
    role('admin'),
    {
      summary: 'Update the email settings of a form',
      body: schema.FormMailBody,
      answer: schema.formMailFields,
      says: 'What is left out stays.',
    },
    async ({ context, property, params, body }) => changeFormMail(context, property.id, params.form, body),
  ),
])
