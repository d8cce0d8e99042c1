// What the endpoints of a property's own domains take and answer.
import { Type } from 'typebox'
import { type JsonOf, oneOf, open } from '../http/shapes.ts'
import { type DomainFault, domainFaults } from './domain-model.ts'
import { domains } from './link-model.ts'

const MaybeTs = Type.Unsafe<number | null>({ type: ['integer', 'null'] })

export const DomainShape = Type.Object(
  {
    host: Type.String(),
    domain: oneOf(domains, 'The short domain whose place it takes.'),
    url: Type.String({ description: 'Where the codes of its links live: `{url}/{code}`.' }),
    is_verified: Type.Boolean({ description: 'Links answer there.' }),
    fault: Type.Unsafe<DomainFault | null>({
      enum: [...domainFaults, null],
      description: 'Why the last check did not succeed; of a verified one, what the owner should look at.',
    }),
    records: Type.Array(Type.Object({ type: oneOf(['CNAME', 'TXT']), name: Type.String(), value: Type.String() }), {
      description: 'What has to be entered where the domain is managed.',
    }),
    count_links: Type.Integer({ description: 'Links in use that live there.' }),
    checked_ts: MaybeTs,
    verified_ts: MaybeTs,
    created_ts: Type.Integer(),
  },
  open,
)
export type DomainJson = JsonOf<typeof DomainShape>

export const DomainList = Type.Array(DomainShape)

export const NewDomain = Type.Object({
  host: Type.String({ maxLength: 300, description: 'A name like go.example.com.' }),
  domain: oneOf(domains, 'The short domain whose place it takes for this property.'),
})
