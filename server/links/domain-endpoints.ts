// The endpoints of a property's own domains.
import { role } from '../http/access.ts'
import { chapter, get, post, remove } from '../http/endpoint.ts'
import { deleted, deletedFields } from '../http/shapes.ts'
import { listOwnDomains } from './domain-list.ts'
import { addDomain, checkDomain, removeDomain } from './domains.ts'
import { DomainList, DomainShape, NewDomain } from './domain-schema.ts'

export const linkDomainEndpoints = chapter('Management', [
  get(
    '/manage/properties/:property/own-domains',
    role('admin'),
    { summary: "List the property's own short domains", answer: { domains: DomainList } },
    async ({ context, property }) => ({ domains: await listOwnDomains(context, property.id) }),
  ),
  post(
    '/manage/properties/:property/own-domains',
    role('admin'),
    { summary: 'Add a short domain', body: NewDomain, answer: { domain: DomainShape } },
    async ({ context, property, body }) => ({ domain: await addDomain(context, property.id, body) }),
  ),
  post(
    '/manage/properties/:property/own-domains/:host/check',
    role('admin'),
    { summary: 'Verify a domain and that it points here', answer: { domain: DomainShape } },
    async ({ context, property, params }) => ({ domain: await checkDomain(context, property.id, params.host) }),
  ),
  remove(
    '/manage/properties/:property/own-domains/:host',
    role('admin'),
    { summary: 'Remove a domain; its links stop working there', answer: deletedFields },
    async ({ context, property, params }) => {
      await removeDomain(context, property.id, params.host)
      return deleted
    },
  ),
])
