// The versions of a block: how often each is shown, a preview, and their weights, which are edited together.
import { useMutation } from '@tanstack/react-query'
import { Ellipsis, Layers, Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { type Block, changeVersion, deleteVersion, type Version } from '../../api/content.ts'
import { percent } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { cx } from '../../parts/cx.ts'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { NumberField } from '../../parts/fields.tsx'
import { Form, type FormState, useForm } from '../../parts/form.tsx'
import { Badge } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Menu } from '../../parts/popover.tsx'
import { Preview } from '../../parts/preview.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { spoken } from '../../field-errors.ts'
import { useCan, useProperty } from '../../session.tsx'
import { common, content as text } from '../../texts/index.ts'
import { optionalParam, useUrlState } from '../../url.ts'
import { useBlockChange, useRefresh } from './change.ts'
import styles from './content.module.css'
import { ShareBar, sharesOf, toneOf } from './shares.tsx'
import { VersionDialog } from './version-dialog.tsx'

const words = text.versions
const NEW = 'new'
const codecs = { version: optionalParam }

/** By version id; null while a field is empty. */
type Weights = Readonly<Record<string, number | null>>

const weightsOf = ({ versions }: Block): Weights => Object.fromEntries(versions.map(({ id, weight }) => [id, weight]))

export function Versions({ block }: { block: Block }) {
  const canEdit = useCan('admin')
  const [{ version: open }, setState] = useUrlState<{ version: string | null }>(codecs)
  const add = canEdit && (
    <Button look="primary" icon={<Plus aria-hidden="true" />} onClick={() => setState({ version: NEW })}>
      {words.add}
    </Button>
  )
  const opened = block.versions.find(({ id }) => id === open)
  const close = (): void => setState({ version: null }, { replace: true })
  return (
    <>
      {block.versions.length === 0 ? (
        <Panel>
          <EmptyState icon={<Layers />} title={words.emptyTitle} actions={add}>
            {words.empty}
          </EmptyState>
        </Panel>
      ) : (
        <Weighing key={block.id} block={block} add={add} onOpen={(id) => setState({ version: id })} />
      )}
      {canEdit && open === NEW && <VersionDialog block={block} onClose={close} />}
      {canEdit && opened && <VersionDialog key={opened.id} block={block} version={opened} onClose={close} />}
    </>
  )
}

interface WeighingProps {
  readonly block: Block
  readonly add: ReactNode
  readonly onOpen: (id: string) => void
}

/** The bar follows the fields before they are saved. */
function Weighing({ block, add, onOpen }: WeighingProps) {
  const canEdit = useCan('admin')
  const change = useBlockChange(block)
  const formId = useId()
  const form = useForm<Weights>(weightsOf(block), async (_values, { changed }) => {
    const weights = Object.fromEntries(Object.entries(changed).map(([id, weight]) => [id, weight ?? 0]))
    await change({ weights }).catch((error: unknown) => {
      throw spoken(error, (path) => path.replace(/^weights\./, ''))
    })
    toast(words.weightsSaved)
  })
  const drafted = block.versions.map((version) => ({ ...version, weight: form.values[version.id] ?? 0 }))
  const shares = sharesOf(drafted)
  return (
    <>
      <Panel title={words.title} subtitle={words.hint} actions={add}>
        <ShareBar versions={drafted} />
        {/* The fields are in the cards, whose dialogs have forms of their own: they name this one. */}
        <Form form={form} id={formId}>
          {form.isChanged && (
            <div className={styles.saveBar}>
              <Button type="submit" look="primary" isBusy={form.isBusy}>
                {words.saveWeights}
              </Button>
              <Button look="quiet" onClick={() => form.reset()}>
                {common.actions.cancel}
              </Button>
              <span className={styles.small}>{words.phaseHint}</span>
            </div>
          )}
        </Form>
      </Panel>
      <div className={styles.cards}>
        {block.versions.map((version, index) => (
          <VersionCard
            key={version.id}
            block={block}
            version={version}
            index={index}
            share={shares.get(version.id)}
            formId={formId}
            form={canEdit ? form : undefined}
            onOpen={onOpen}
          />
        ))}
      </div>
    </>
  )
}

interface VersionCardProps {
  readonly block: Block
  readonly version: Version
  readonly index: number
  readonly share: number | undefined
  readonly formId: string
  /** undefined: nothing can be changed. */
  readonly form: FormState<Weights> | undefined
  readonly onOpen: (id: string) => void
}

function VersionCard({ block, version, index, share, formId, form, onOpen }: VersionCardProps) {
  const { id, label, html, ctas, is_active } = version
  return (
    <Panel
      title={
        <span className={styles.cardTitle}>
          <span className={cx(styles.swatch, toneOf(index))} aria-hidden="true" />
          {label}
        </span>
      }
      actions={form && <VersionActions block={block} version={version} onOpen={onOpen} />}
    >
      <div className={styles.card}>
        <div className={styles.cardFacts}>
          <Badge tone={is_active ? 'good' : 'plain'}>{is_active ? words.active : words.off}</Badge>
          {share !== undefined && <strong>{percent(share)}</strong>}
          {ctas.length > 0 && <span className={styles.small}>{words.ctas(ctas.length)}</span>}
          {form && (
            <span className={styles.weighing}>
              <span aria-hidden="true">{words.weight}</span>
              <NumberField
                label={words.weightOf(label)}
                hidesLabel
                form={formId}
                className={styles.weight}
                min={0}
                max={1000}
                {...form.field(id)}
              />
            </span>
          )}
        </div>
        <Preview html={html} title={words.preview(label)} maxHeight={260} />
      </div>
    </Panel>
  )
}

function VersionActions({ block, version, onOpen }: Pick<VersionCardProps, 'block' | 'version' | 'onOpen'>) {
  const property = useProperty()
  const refresh = useRefresh(block.id)
  const [isAsking, setAsking] = useState(false)
  const { id, label, is_active } = version
  const turn = useMutation({
    mutationFn: () => changeVersion(property.id, block.id, id, { is_active: !is_active }),
    onSuccess: async () => {
      await refresh()
      toast(is_active ? words.deactivated : words.activated)
    },
  })
  const erase = async (): Promise<void> => {
    await deleteVersion(property.id, block.id, id)
    toast(words.deleted)
    await refresh()
  }
  return (
    <>
      <Button
        size="small"
        icon={<Pencil aria-hidden="true" />}
        aria-label={words.edit(label)}
        onClick={() => onOpen(id)}
      >
        {common.actions.edit}
      </Button>
      <Menu
        button={<Ellipsis aria-hidden="true" />}
        label={words.more(label)}
        align="end"
        items={[
          { label: is_active ? words.deactivate : words.activate, onSelect: () => turn.mutate() },
          {
            label: words.delete,
            icon: <Trash2 />,
            isDanger: true,
            startsGroup: true,
            onSelect: () => setAsking(true),
          },
        ]}
      />
      {isAsking && (
        <ConfirmDialog
          title={words.deleteTitle(label)}
          action={words.deleteAction}
          onConfirm={erase}
          onClose={() => setAsking(false)}
        >
          {words.deleteWords}
        </ConfirmDialog>
      )}
    </>
  )
}
