// What an owner decides about a block, and its end.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { type Block, deleteBlock, type Goal } from '../../api/content.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { SaveForm } from '../../parts/save-form.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SkeletonLines } from '../../parts/states.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { content as text } from '../../texts/index.ts'
import { blockKey, useBlockChange } from './change.ts'
import styles from './content.module.css'
import { GoalFields } from './goal.tsx'
import { usePolicy } from './version-dialog.tsx'

const words = text.settings

export function BlockSettings({ block }: { block: Block }) {
  return (
    <>
      <Panel title={words.title}>
        <General key={block.id} block={block} />
      </Panel>
      <Policy />
      <Archive block={block} />
      <Deletion block={block} />
    </>
  )
}

function General({ block }: { block: Block }) {
  const change = useBlockChange(block)
  const initial: { name: string; goal: Goal } = { name: block.name, goal: block.goal }
  const form = useForm(initial, async (_values, { changed }) => {
    await change(changed).catch(rethrowSpoken)
    toast(words.saved)
  })
  return (
    <SaveForm form={form} label={words.save} isPrimary>
      <TextField label={words.name} maxLength={120} {...form.field('name')} />
      <GoalFields
        block={block}
        goal={form.values.goal}
        onChange={(goal) => form.set({ goal })}
        errors={form.errorsOf('goal')}
      />
      <p className={styles.small}>{words.goalHint}</p>
    </SaveForm>
  )
}

function Policy() {
  const path = usePropertyPath()
  const policy = usePolicy()
  return (
    <Panel title={words.policy}>
      {policy === undefined ? <SkeletonLines lines={2} /> : <p>{words.policies[policy]}</p>}
      <p className={styles.small}>
        <Link href={path('/settings')}>{words.policyLink}</Link>
      </p>
    </Panel>
  )
}

function Archive({ block }: { block: Block }) {
  const change = useBlockChange(block)
  const archive = useMutation({
    mutationFn: () => change({ is_archived: !block.is_archived }),
    onSuccess: ({ is_archived }) => toast(is_archived ? words.archived : words.restored),
  })
  return (
    <Panel title={words.archiveTitle} subtitle={words.archiveHint}>
      <Button isBusy={archive.isPending} onClick={() => archive.mutate()}>
        {block.is_archived ? words.restore : words.archive}
      </Button>
    </Panel>
  )
}

function Deletion({ block }: { block: Block }) {
  const property = useProperty()
  const path = usePropertyPath()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const confirm = async (): Promise<void> => {
    await deleteBlock(property.id, block.id)
    toast(words.deleted)
    navigate(path('/content'), { replace: true })
    window.scrollTo(0, 0) // it was asked for at the end of a long page
    client.removeQueries({ queryKey: blockKey(property.id, block.id) })
    await client.invalidateQueries({ queryKey: ['contents', property.id] })
  }
  return (
    <Panel title={words.deleteTitle} subtitle={words.deleteHint}>
      <Button look="danger" onClick={() => setAsking(true)}>
        {words.delete}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={words.confirmTitle}
          action={words.delete}
          typed={block.name}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          {words.confirmWords}
        </ConfirmDialog>
      )}
    </Panel>
  )
}
