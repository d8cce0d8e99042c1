// Every shortcut of the page that is shown.
import { setKeysOn, useAreKeysOn, useShortcuts } from '../keys.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Switch } from '../parts/fields.tsx'
import { Key } from '../parts/marks.tsx'
import { printedKeys } from '../printed-keys.ts'
import { common as text } from '../texts/index.ts'
import styles from './keys-dialog.module.css'

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const areOn = useAreKeysOn()
  const shortcuts = useShortcuts().filter(({ label }) => label !== undefined)
  const groups = [...new Set(shortcuts.map(({ group }) => group ?? text.keys.general))]
  return (
    <Dialog title={text.keys.title} onClose={onClose}>
      <div className={styles.switch}>
        <Switch label={text.keys.on} hint={text.keys.onHint} isOn={areOn} onChange={setKeysOn} />
      </div>
      <div className={styles.groups} data-off={!areOn || undefined}>
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {shortcuts
                .filter((shortcut) => (shortcut.group ?? text.keys.general) === group)
                .map(({ key, label }) => (
                  <div key={key}>
                    <dt>{label}</dt>
                    <dd>
                      {printedKeys(key).map((one) => (
                        <Key key={one}>{one}</Key>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
