// The fields of a form in order: opened for editing, moved by arrow keys or by dragging, copied and removed.
import { ChevronDown, Ellipsis, Plus, SeparatorHorizontal, TextCursorInput } from 'lucide-react'
import { type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { announce } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import buttonStyles from '../../parts/button.module.css'
import { cx } from '../../parts/cx.ts'
import type { FormState } from '../../parts/form.tsx'
import { Menu } from '../../parts/popover.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { forms as text } from '../../texts/index.ts'
import { type FieldDraft, fieldsOf, type FormDraft, isStep, neededRule } from './draft.ts'
import { moved, nameFor, newField, newStep, withField } from './field-changes.ts'
import { FieldEditor } from './field-editor.tsx'
import { typeGroups } from './field-types.ts'
import { Handle } from './handle.tsx'
import { StepRow } from './step-row.tsx'
import styles from './forms.module.css'

export interface FieldListProps {
  readonly state: FormState<FormDraft>
  readonly openUid: string | null
  readonly onOpen: (uid: string | null) => void
}

/** A copy needs a name of its own. */
function copied(fields: readonly FieldDraft[], uid: string): FieldDraft[] {
  const at = fields.findIndex((field) => field.uid === uid)
  const field = fields[at]
  if (!field) return [...fields]
  const { uid: copyUid } = newField(field.type, field.label, fields)
  const name = nameFor(field.name, new Set(fields.map((one) => one.name)))
  return fields.toSpliced(at + 1, 0, { ...field, uid: copyUid, name })
}

export function FieldList({ state, openUid, onOpen }: FieldListProps) {
  const { fields } = state.values
  const list = useRef<HTMLOListElement>(null)
  const set = (next: readonly FieldDraft[]): void => state.set({ fields: next })

  const move = (field: FieldDraft, to: number): void => {
    const next = moved(fields, field.uid, to)
    set(next)
    announce(text.builder.movedTo(field.label, next.findIndex(({ uid }) => uid === field.uid) + 1, next.length))
  }
  const drag = useDrag(list, (uid, to) => set(moved(fields, uid, to)))
  const add = (type: FieldDraft['type']): void => {
    const field = newField(type, text.fieldTypes[type], fields)
    set([...fields, field])
    onOpen(field.uid)
  }
  const drop = (field: FieldDraft): void => {
    set(fields.filter(({ uid }) => uid !== field.uid))
    announce(text.builder.removed(field.label))
  }

  const addStep = (): void => set([...fields, newStep(text.builder.stepTitle(fields.filter(isStep).length + 2))])

  return (
    <>
      {fields.length === 0 && (
        <EmptyState isSmall icon={<TextCursorInput />} title={text.builder.emptyTitle}>
          {text.builder.empty}
        </EmptyState>
      )}
      <ol ref={list} className={styles.fieldList} aria-label={text.builder.fieldsLabel}>
        {fields.map((field, index) => (
          <li
            key={field.uid}
            className={cx(isStep(field) ? styles.step : styles.card, drag.dragged === field.uid && styles.dragged)}
          >
            <Item
              field={field}
              index={index}
              state={state}
              isOpen={openUid === field.uid}
              onOpen={onOpen}
              onMove={(to) => move(field, to)}
              onGrab={(event) => drag.grab(field.uid, event)}
              onRemove={() => drop(field)}
            />
          </li>
        ))}
      </ol>
      <div className={styles.adding}>
        <AddField onAdd={add} />
        {fields.length > 0 && (
          <Button look="quiet" icon={<SeparatorHorizontal aria-hidden="true" />} onClick={addStep}>
            {text.builder.addStep}
          </Button>
        )}
      </div>
    </>
  )
}

interface ItemProps extends Pick<FieldListProps, 'state' | 'onOpen'> {
  readonly field: FieldDraft
  readonly index: number
  readonly isOpen: boolean
  readonly onMove: (to: number) => void
  readonly onGrab: (event: PointerEvent) => void
  readonly onRemove: () => void
}

/** A field, with its editor while that is open; or the beginning of a step. */
function Item({ field, index, state, isOpen, onOpen, onMove, onGrab, onRemove }: ItemProps) {
  const { fields } = state.values
  const set = (next: readonly FieldDraft[]): void => state.set({ fields: next })
  const change = (patch: Partial<FieldDraft>): void => set(withField(fields, field.uid, patch))
  const asked = fieldsOf(fields)
  const moveBy = (by: number): void => onMove(index + by)
  if (isStep(field))
    return (
      <StepRow
        step={field}
        onTitle={(label) => change({ label })}
        onMove={moveBy}
        onGrab={onGrab}
        onRemove={onRemove}
      />
    )
  return (
    <>
      <FieldRow
        field={field}
        isOpen={isOpen}
        onToggle={() => onOpen(isOpen ? null : field.uid)}
        onMove={moveBy}
        onGrab={onGrab}
        isFirst={index === 0}
        isLast={index === fields.length - 1}
        onCopy={() => set(copied(fields, field.uid))}
        onRemove={onRemove}
      />
      {isOpen && (
        <FieldEditor
          field={field}
          fields={asked}
          onChange={change}
          errorsOf={(member) => state.errorsOf(`fields.${asked.indexOf(field)}.${member}`)}
          ruleErrorsOf={state.errorsOf}
        />
      )}
    </>
  )
}

const AddField = ({ onAdd }: { onAdd: (type: FieldDraft['type']) => void }) => (
  <Menu
    button={
      <>
        <Plus aria-hidden="true" />
        {text.builder.add}
      </>
    }
    items={typeGroups.flatMap(({ types }, group) =>
      types.map((type, index) => ({
        label: text.fieldTypes[type],
        onSelect: () => onAdd(type),
        startsGroup: group > 0 && index === 0,
      })),
    )}
  />
)

interface FieldRowProps {
  readonly field: FieldDraft
  readonly isOpen: boolean
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onToggle: () => void
  readonly onMove: (step: number) => void
  readonly onGrab: (event: PointerEvent) => void
  readonly onCopy: () => void
  readonly onRemove: () => void
}

function FieldRow({ field, isOpen, isFirst, isLast, onToggle, onMove, onGrab, onCopy, onRemove }: FieldRowProps) {
  const moveWithin = (by: number): void => {
    if (!(by < 0 ? isFirst : isLast)) onMove(by)
  }
  return (
    <div className={styles.cardRow}>
      <Handle label={field.label} onMove={moveWithin} onGrab={onGrab} />
      <button type="button" aria-expanded={isOpen} className={styles.cardTitle} onClick={onToggle}>
        <span className={styles.cardLabel}>
          {field.label || field.name}
          {neededRule(field) && <span className={styles.star}> *</span>}
        </span>
        <span className={styles.small}>{text.fieldTypes[field.type]}</span>
        <ChevronDown aria-hidden="true" className={cx(styles.chevron, isOpen && styles.turned)} />
      </button>
      <Menu
        button={<Ellipsis aria-hidden="true" />}
        label={text.builder.edit(field.label)}
        buttonClass={buttonStyles.icon}
        align="end"
        items={[
          { label: text.builder.up, onSelect: () => onMove(-1), isDisabled: isFirst },
          { label: text.builder.down, onSelect: () => onMove(1), isDisabled: isLast },
          { label: text.builder.copy, onSelect: onCopy, startsGroup: true },
          { label: text.builder.remove, onSelect: onRemove, isDanger: true, startsGroup: true },
        ]}
      />
    </div>
  )
}

/**
 * With a mouse or a finger: the row goes to where the pointer is, counted by the middles of the others, so
 * that it never swings between two places. Listens on the window: a row that changes its place would lose a
 * captured pointer.
 */
function useDrag(list: RefObject<HTMLOListElement | null>, onMove: (uid: string, to: number) => void) {
  const [dragged, setDragged] = useState<string>()
  const move = useRef(onMove)
  useLayoutEffect(() => {
    move.current = onMove
  })
  const grab = (uid: string, event: PointerEvent): void => {
    if (event.button !== 0) return
    const row = event.currentTarget.closest('li')
    const startY = event.clientY
    let last: number | undefined
    const onPointerMove = ({ clientY }: globalThis.PointerEvent): void => {
      if (last === undefined && Math.abs(clientY - startY) < 4) return
      const others = [...(list.current?.children ?? [])].filter((one) => one !== row)
      const to = others.filter((one) => middleOf(one) < clientY).length
      setDragged(uid)
      if (to !== last) move.current(uid, to)
      last = to
    }
    const stop = (): void => {
      setDragged(undefined)
      removeEventListener('pointermove', onPointerMove)
      removeEventListener('pointerup', stop)
      removeEventListener('pointercancel', stop)
    }
    addEventListener('pointermove', onPointerMove)
    addEventListener('pointerup', stop)
    addEventListener('pointercancel', stop)
  }
  return { dragged, grab }
}

function middleOf(element: Element): number {
  const { top, height } = element.getBoundingClientRect()
  return top + height / 2
}
