// The search over everything (Ctrl K): pages, actions, and whatever has a name. Typed, moved through by
// arrows, opened by Enter; a combobox of the ARIA Authoring Practices whose list is always open.
import { CornerDownLeft, Search } from 'lucide-react'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useFoundMarks } from '../parts/found.ts'
import { Key } from '../parts/marks.tsx'
import { common, palette as text } from '../texts/index.ts'
import { useSettled } from '../typed.ts'
import { useCarriedSearch } from '../window.ts'
import { type Entry, matching, useFoundEntries, useKnownEntries, type Whereabouts } from './palette-entries.tsx'
import styles from './palette.module.css'

export interface PaletteProps extends Omit<Whereabouts, 'carried'> {
  readonly onClose: () => void
}

const optionId = (list: string, index: number): string => `${list}-${index}`

export function Palette({ session, property, onClose }: PaletteProps) {
  const dialog = useModal()
  const list = useId()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState(0)
  const [, navigate] = useLocation()
  const wanted = useSettled(search.trim())
  const known = useKnownEntries({ session, property, carried: useCarriedSearch() })
  const found = useFoundEntries(property?.isShared ? undefined : property?.id, wanted)
  const entries = [...matching(known, search), ...(search.trim() === '' ? [] : found.entries)]
  const current = Math.min(chosen, entries.length - 1)

  useInSight(optionId(list, current))

  const open = ({ target }: Entry): void => {
    onClose()
    if (typeof target === 'string') navigate(target)
    else target()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const entry = entries[current]
    if (event.nativeEvent.isComposing || (step === undefined && event.key !== 'Enter')) return
    event.preventDefault()
    if (step !== undefined) setChosen((current + step + entries.length) % Math.max(1, entries.length))
    else if (entry) open(entry)
  }

  return (
    <dialog
      ref={dialog}
      aria-label={text.title}
      className={styles.palette}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div className={styles.inside}>
        <div className={styles.asked}>
          <Search aria-hidden="true" />
          <Field
            list={list}
            active={entries.length === 0 ? undefined : optionId(list, current)}
            value={search}
            onChange={(value) => {
              setSearch(value)
              setChosen(0)
            }}
            onKeyDown={onKeyDown}
          />
          <Key>{common.keys.escape}</Key>
        </div>
        <Results list={list} entries={entries} current={current} onOpen={open} onPoint={setChosen} />
        <Foot count={entries.length} isSearching={found.isSearching || wanted !== search.trim()} />
      </div>
    </dialog>
  )
}

/** Open while it is part of the page; the focus returns to where it was. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current: shown } = dialog
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return dialog
}

function useInSight(id: string): void {
  useLayoutEffect(() => {
    document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [id])
}

interface FieldProps {
  readonly list: string
  /** The option that Enter opens. */
  readonly active: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

function Field({ list, active, value, onChange, onKeyDown }: FieldProps) {
  useFoundMarks(() => document.getElementById(list), value)
  return (
    <input
      type="text"
      role="combobox"
      aria-expanded="true"
      aria-controls={list}
      aria-autocomplete="list"
      aria-activedescendant={active}
      aria-label={text.title}
      placeholder={text.placeholder}
      autoComplete="off"
      spellCheck={false}
      autoFocus
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={onKeyDown}
    />
  )
}

interface ResultsProps {
  readonly list: string
  readonly entries: readonly Entry[]
  readonly current: number
  readonly onOpen: (entry: Entry) => void
  readonly onPoint: (index: number) => void
}

function Results({ list, entries, current, onOpen, onPoint }: ResultsProps) {
  const groups = Object.entries(
    Object.groupBy(
      entries.map((entry, index) => ({ entry, index })),
      ({ entry }) => entry.group,
    ),
  )
  return (
    <div id={list} role="listbox" aria-label={text.results} className={styles.results}>
      {groups.map(([group, members]) => (
        <div key={group} role="group" aria-label={text.groups[group as Entry['group']]}>
          <div className={styles.group} aria-hidden="true">
            {text.groups[group as Entry['group']]}
          </div>
          {members.map(({ entry, index }) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys go to the field
            <div
              key={entry.id}
              id={optionId(list, index)}
              role="option"
              aria-selected={index === current}
              className={styles.entry}
              onPointerMove={() => index !== current && onPoint(index)}
              onClick={() => onOpen(entry)}
            >
              {entry.icon}
              <span className={styles.label}>{entry.label}</span>
              {entry.detail !== undefined && entry.detail !== entry.label && (
                <span className={styles.detail}>{entry.detail}</span>
              )}
              <CornerDownLeft className={styles.enter} aria-hidden="true" />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

/** How many there are, said to readers too; and how to move, for those who see it. */
function Foot({ count, isSearching }: { count: number; isSearching: boolean }) {
  const isEmpty = count === 0 && !isSearching
  return (
    <>
      {isEmpty && (
        <div className={styles.none}>
          <strong>{text.none}</strong>
          <span>{text.noneHint}</span>
        </div>
      )}
      <div className={styles.foot}>
        <span role="status">{isSearching ? text.searching : isEmpty ? text.none : text.found(count)}</span>
        <span className={styles.how} aria-hidden="true">
          <Key>{'↑'}</Key>
          <Key>{'↓'}</Key> {text.move}
          <Key>{'↵'}</Key> {text.choose}
        </span>
      </div>
    </>
  )
}
