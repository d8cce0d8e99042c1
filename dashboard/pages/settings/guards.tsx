// What the property refuses from browsers: anybody can send anything with its public key.
import { Checkbox, NumberField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { SaveForm } from '../../parts/save-form.tsx'
import { Facts, Panel } from '../../parts/panel.tsx'
import { Loaded, SkeletonLines } from '../../parts/states.tsx'
import type { Property } from '../../api/properties.ts'
import { number } from '../../format.ts'
import { useCan } from '../../session.tsx'
import { settings as all } from '../../texts/index.ts'
import styles from './page.module.css'
import { useChange, useDetails } from './property.ts'

const text = all.guards

export function Guards() {
  const details = useDetails()
  const canEdit = useCan('admin')
  return (
    <Panel title={text.title} subtitle={text.subtitle}>
      <Loaded query={details} skeleton={<SkeletonLines lines={5} />}>
        {({ property }) =>
          canEdit ? <GuardsForm key={property.id} property={property} /> : <GuardsFacts property={property} />
        }
      </Loaded>
    </Panel>
  )
}

const GuardsFacts = ({ property }: { property: Property }) => (
  <Facts
    rows={[
      [text.listed, property.is_listed_only ? text.yes : text.no],
      [text.token, property.is_token_only ? text.yes : text.no],
      [text.most, number(property.browser_max_usd)],
    ]}
  />
)

function GuardsForm({ property }: { property: Property }) {
  const change = useChange()
  const initial = {
    is_listed_only: property.is_listed_only,
    is_token_only: property.is_token_only,
    browser_max_usd: property.browser_max_usd as number | null,
  }
  const form = useForm(initial, async (_values, { changed: { browser_max_usd: most, ...rest } }) =>
    // An empty field is nothing that the service takes: it says so at the field.
    change({ ...rest, ...(most !== undefined && { browser_max_usd: most ?? 0 }) }),
  )
  const { is_listed_only: isListed, is_token_only: isToken } = form.values
  return (
    <div className={styles.narrow}>
      <SaveForm form={form} label={all.save}>
        <Checkbox
          label={text.listed}
          hint={property.domains.length === 0 ? text.listedNone : text.listedHint}
          isOn={isListed}
          onChange={(is_listed_only) => form.set({ is_listed_only })}
          errors={form.errorsOf('is_listed_only')}
        />
        <Checkbox
          label={text.token}
          hint={text.tokenHint}
          isOn={isToken}
          onChange={(is_token_only) => form.set({ is_token_only })}
          errors={form.errorsOf('is_token_only')}
        />
        <NumberField
          label={text.most}
          hint={text.mostHint}
          min={1}
          step={1}
          inputMode="numeric"
          {...form.field('browser_max_usd')}
        />
      </SaveForm>
    </div>
  )
}
