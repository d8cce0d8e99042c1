// Many links at once, from addresses or a CSV file: every row is checked first, then all are created or none.
import { useState } from 'react'
import { BackLink } from '../../parts/detail.tsx'
import { PageHeader, Panel } from '../../parts/panel.tsx'
import { NoPermission } from '../../parts/states.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { bulk as words, common, links as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { Asking } from './many-asking.tsx'
import { Checked, Done } from './many-result.tsx'
import { type Asked, useRun } from './many-run.ts'

export default function ManyPage() {
  const property = useProperty()
  const path = usePropertyPath()
  const canEdit = useCan('admin')
  useTitle(words.title, property.name)
  return (
    <>
      <PageHeader
        title={words.title}
        subtitle={words.subtitle}
        back={<BackLink href={path('/links')}>{text.back}</BackLink>}
      />
      {canEdit ? (
        <Many />
      ) : (
        <Panel>
          <NoPermission words={common.noPermission.forRole('admin')} />
        </Panel>
      )}
    </>
  )
}

const first: Asked = { from: '', group: '', domain: 'link-a', createGroups: true, typed: '', file: null }

function Many() {
  const [asked, setAsked] = useState(first)
  const { stage, check, write, ask } = useRun(asked)
  const set = (patch: Partial<Asked>): void => setAsked((known) => ({ ...known, ...patch }))
  if (stage.is === 'asking')
    return <Asking asked={asked} set={set} onCheck={() => void check()} problem={stage.problem} onProblem={ask} />
  if (stage.is === 'done')
    return (
      <Done
        sum={stage.sum}
        onAgain={() => {
          setAsked(first)
          ask()
        }}
      />
    )
  if (stage.is === 'checked') {
    const { sum, sent } = stage
    return <Checked sum={sum} onWrite={() => void write(sent)} onChange={() => ask()} />
  }
  return (
    <Panel>
      <p role="status">{words.working[stage.is]}</p>
    </Panel>
  )
}
