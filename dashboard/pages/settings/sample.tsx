// The switch for sample data: a property of its own with a year of made-up visits. For owners of the
// installation.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { makeSample, readSample, removeSample, type Sample } from '../../api/sample.ts'
import { percent } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Switch } from '../../parts/fields.tsx'
import { Progress } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Loaded, Note, Skeleton } from '../../parts/states.tsx'
import { refreshSession } from '../../session.tsx'
import { data as all } from '../../texts/index.ts'
import styles from './page.module.css'

const text = all.sample
const queryKey = ['sample']
const WATCH_MS = 1_000

interface Answer {
  readonly sample: Sample | null
}

export function SamplePanel() {
  const sample = useQuery({
    queryKey,
    queryFn: ({ signal }) => readSample(signal),
    refetchInterval: ({ state }) => (state.data?.sample?.state === 'running' ? WATCH_MS : false),
    staleTime: 0,
  })
  return (
    <Panel title={text.title} subtitle={text.subtitle}>
      <Loaded query={sample} skeleton={<Skeleton width="22rem" height="2.75rem" />}>
        {(answer) => <SampleSwitch sample={answer.sample} />}
      </Loaded>
    </Panel>
  )
}

function SampleSwitch({ sample }: { sample: Sample | null }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  useToldWhenDone(sample)
  const make = useMutation({
    mutationFn: makeSample,
    onSuccess: async (answer) => {
      client.setQueryData<Answer>(queryKey, answer)
      await refreshSession()
    },
  })
  return (
    <div className={styles.part}>
      <Switch
        label={text.label}
        hint={text.hint}
        isOn={sample !== null || make.isPending}
        disabled={make.isPending}
        onChange={(isOn) => (isOn ? make.mutate() : setAsking(true))}
      />
      {sample && <Stage sample={sample} onComplete={() => make.mutate()} isBusy={make.isPending} />}
      {isAsking && sample && <Removal sample={sample} onClose={() => setAsking(false)} />}
    </div>
  )
}

function Stage({ sample, onComplete, isBusy }: { sample: Sample; onComplete: () => void; isBusy: boolean }) {
  const { state, progress, property_id: id } = sample
  return (
    <>
      {state === 'running' && (
        <div className={styles.progress}>
          <p className={styles.hint}>{text.making(percent(progress))}</p>
          <Progress value={progress} label={text.progress} />
        </div>
      )}
      {state === 'failed' && <Note tone="warn">{text.broken}</Note>}
      <div className={styles.row}>
        {state === 'failed' && (
          <Button isBusy={isBusy} onClick={onComplete}>
            {text.complete}
          </Button>
        )}
        <LinkButton href={`/properties/${id}`}>{text.look}</LinkButton>
      </div>
    </>
  )
}

/** Only to who saw it being made. */
function useToldWhenDone(sample: Sample | null): void {
  const before = useRef(sample?.state)
  useEffect(() => {
    if (before.current === 'running' && sample?.state === 'done') toast(text.made)
    before.current = sample?.state
  }, [sample?.state])
}

function Removal({ sample, onClose }: { sample: Sample; onClose: () => void }) {
  const client = useQueryClient()
  const [path, navigate] = useLocation()
  const confirm = async (): Promise<void> => {
    await removeSample()
    client.setQueryData<Answer>(queryKey, { sample: null })
    const isHere = path.startsWith(`/properties/${sample.property_id}`)
    await refreshSession()
    if (isHere) navigate('/', { replace: true })
    toast(text.removed)
  }
  return (
    <ConfirmDialog title={text.removeTitle} action={text.remove} onConfirm={confirm} onClose={onClose}>
      {text.removeWords}
    </ConfirmDialog>
  )
}
