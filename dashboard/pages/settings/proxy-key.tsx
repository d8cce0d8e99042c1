// The key with which the owner's own server speaks for its visitors.
import { useState } from 'react'
import { renewProxyKey } from '../../api/properties.ts'
import { toastError } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { SecretOnce } from '../../parts/copy.tsx'
import { ConfirmDialog, Dialog } from '../../parts/dialog.tsx'
import { StatusDot } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Loaded, Skeleton } from '../../parts/states.tsx'
import { useProperty } from '../../session.tsx'
import { settings as all } from '../../texts/index.ts'
import styles from './page.module.css'
import { useDetails, useKnow } from './property.ts'

const text = all.keys

export function ProxyKey() {
  const { id } = useProperty()
  const details = useDetails()
  const know = useKnow()
  const [secret, setSecret] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const make = async (): Promise<void> => {
    const { property, proxy_key } = await renewProxyKey(id)
    know(property)
    setSecret(proxy_key)
  }
  return (
    <Panel title={text.proxy} subtitle={text.proxySubtitle}>
      <Loaded query={details} skeleton={<Skeleton width="14rem" height="2.25rem" />}>
        {({ property: { has_proxy_key: has } }) => (
          <div className={styles.row}>
            <StatusDot tone={has ? 'good' : 'plain'}>{has ? text.hasProxy : text.noProxy}</StatusDot>
            <Button onClick={() => (has ? setAsking(true) : void make().catch(toastError))}>
              {has ? text.renewProxy : text.makeProxy}
            </Button>
          </div>
        )}
      </Loaded>
      {isAsking && (
        <ConfirmDialog
          title={text.renewTitle}
          action={text.renewProxy}
          onConfirm={make}
          onClose={() => setAsking(false)}
        >
          {text.renewWords}
        </ConfirmDialog>
      )}
      {secret !== undefined && (
        <Dialog title={text.proxyTitle} onClose={() => setSecret(undefined)}>
          <SecretOnce label={text.proxyTitle} secret={secret} onDone={() => setSecret(undefined)} />
        </Dialog>
      )}
    </Panel>
  )
}
