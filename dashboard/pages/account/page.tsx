// One’s own account: name, address, password, second factor, where one is signed in, and who tried to be.
import { useLocation } from 'wouter'
import type { User } from '../../api/session.ts'
import { PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { useSession } from '../../session.tsx'
import { account as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { numberParam, useUrlState } from '../../url.ts'
import { Devices } from './devices.tsx'
import { NewPassword, Profile } from './profile.tsx'
import { SecondFactor } from './second-factor.tsx'
import { SignIns } from './sign-ins.tsx'
import styles from './page.module.css'
import { NotFound } from '../../shell/not-found.tsx'

export default function AccountPage() {
  useTitle(text.title)
  const session = useSession()
  const [path] = useLocation()
  const user = session.data?.user
  if (path !== '/account') return <NotFound />
  return user ? <Account user={user} /> : null
}

const codecs = { page: numberParam(1) }

function Account({ user }: { user: User }) {
  const [{ page }, setState] = useUrlState(codecs)
  return (
    <div className={styles.page}>
      <PageHeader title={text.title} subtitle={text.subtitle} />
      <Stack>
        <Panel title={text.profile.title}>
          <Profile key={user.id} user={user} />
        </Panel>
        <Panel title={text.password.title} subtitle={text.password.subtitle}>
          <NewPassword user={user} />
        </Panel>
        <SecondFactor user={user} />
        <Devices />
        <Panel title={text.signIns.title} subtitle={text.signIns.subtitle} isFlush>
          <SignIns page={page} onPage={(next) => setState({ page: next })} />
        </Panel>
      </Stack>
    </div>
  )
}
