// A link in two keystrokes: paste, Enter. The group is the usual one, the code random.
import { Link2, SlidersHorizontal } from 'lucide-react'
import { withUtm } from '../../../server/links/utm.ts'
import { createLink } from '../../api/links.ts'
import { spoken } from '../../field-errors.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ErrorNote } from '../../parts/states.tsx'
import { useCan, useProperty } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { useUrlState } from '../../url.ts'
import { createdCodecs } from './created-dialog.tsx'
import { withScheme } from './destination.ts'
import { useGroups, useRefresh, usualGroup, useUsualGroup } from './links.ts'
import styles from './links.module.css'
import { filledTexts, hasTemplate } from './utm-template.ts'

const words = text.quick

export interface QuickCreateProps {
  /** The group that is looked at; '' for all. */
  readonly group: string
  /** Opens the whole editor with what is typed. */
  readonly onOptions: (destination: string) => void
}

export function QuickCreate({ group, onOptions }: QuickCreateProps) {
  const property = useProperty()
  const refresh = useRefresh()
  const usual = useUsualGroup()
  const [, setCreated] = useUrlState<{ created: string }>(createdCodecs)
  const form = useForm({ destination_url: '' }, async ({ destination_url }, { settle }) => {
    const asked = { destination_url: withScheme(destination_url), domain: 'link-a' } as const
    const { link } = await usual
      .idFor(group)
      .then((group_id) => createLink(property.id, { ...asked, group_id }))
      .catch((error: unknown) => {
        throw spoken(error)
      })
    settle({ destination_url: '' })
    await refresh()
    setCreated({ created: link.id })
  })
  if (!useCan('admin')) return null
  return (
    <Panel className={styles.quick}>
      <form onSubmit={form.onSubmit} noValidate>
        <div className={styles.quickRow}>
          <TextField
            label={words.label}
            hidesLabel
            placeholder={words.placeholder}
            inputMode="url"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            maxLength={2048}
            {...form.field('destination_url')}
          />
          <Button
            icon={<SlidersHorizontal aria-hidden="true" />}
            onClick={() => onOptions(form.values.destination_url)}
          >
            {words.options}
          </Button>
          <Button type="submit" look="primary" isBusy={form.isBusy} icon={<Link2 aria-hidden="true" />}>
            {words.create}
          </Button>
        </div>
        <Filled group={group} destination={withScheme(form.values.destination_url)} />
        {form.problem !== undefined && <ErrorNote>{form.problem}</ErrorNote>}
      </form>
    </Panel>
  )
}

/** Where the link will lead, with what the template of its group fills in. */
function Filled({ group, destination }: { group: string; destination: string }) {
  const groups = useGroups().data ?? []
  const chosen = groups.find(({ id }) => id === usualGroup(groups, group))
  if (!chosen || !hasTemplate(chosen) || !URL.canParse(destination)) return null
  const url = withUtm(destination, filledTexts(chosen, { code: '', name: '' }))
  return (
    <p className={styles.quickFilled}>
      {words.template(chosen.name)} <span className={styles.address}>{url}</span>
    </p>
  )
}
