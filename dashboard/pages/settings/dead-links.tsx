// Where people are sent whose short link leads nowhere.
import type { Property } from '../../api/properties.ts'
import { TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SaveForm } from '../../parts/save-form.tsx'
import { domains as all, settings } from '../../texts/index.ts'
import styles from './page.module.css'
import { useChange } from './property.ts'

const text = all.dead

export function DeadLinks({ property }: { property: Property }) {
  const change = useChange()
  const form = useForm({ dead_link_url: property.dead_link_url ?? '' }, async ({ dead_link_url: typed }) =>
    change({ dead_link_url: typed.trim() === '' ? null : typed.trim() }),
  )
  return (
    <Panel title={text.title} subtitle={text.subtitle}>
      <div className={styles.narrow}>
        <SaveForm form={form} label={settings.save}>
          <TextField
            label={text.url}
            hint={text.hint}
            placeholder={text.placeholder}
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            {...form.field('dead_link_url')}
          />
        </SaveForm>
      </div>
    </Panel>
  )
}
