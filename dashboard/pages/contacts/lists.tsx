// The lists of contacts: how many are in each, whether they confirm by email, and which forms ask for it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type ContactList, readLists, saveList } from '../../api/contacts.ts'
import { listAllForms } from '../../api/forms.ts'
import { number } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { Drawer } from '../../parts/dialog.tsx'
import { Checkbox, Switch, TextField } from '../../parts/fields.tsx'
import { Loaded, Note, SkeletonLines } from '../../parts/states.tsx'
import { useProperty } from '../../session.tsx'
import { contacts as text } from '../../texts/index.ts'
import styles from './memberships.module.css'

const words = text.listsDrawer

export function ListsDrawer({ onClose }: { onClose: () => void }) {
  const property = useProperty()
  const lists = useQuery({
    queryKey: ['contact-lists', property.id],
    queryFn: ({ signal }) => readLists(property.id, signal),
  })
  return (
    <Drawer title={words.title} subtitle={words.subtitle} onClose={onClose}>
      <Loaded query={lists} skeleton={<SkeletonLines lines={8} />}>
        {(answer) => (
          <>
            {answer.missing_settings.length > 0 && answer.lists.some(({ is_confirmed }) => is_confirmed) && (
              <Note tone="warn">{words.noMail(answer.missing_settings)}</Note>
            )}
            <Add />
            <ul className={styles.lists}>
              {answer.lists.map((list) => (
                <OneList key={list.name} list={list} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Drawer>
  )
}

function useSave() {
  const property = useProperty()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (list: Parameters<typeof saveList>[1]) => saveList(property.id, list),
    onSuccess: async () => client.invalidateQueries({ queryKey: ['contact-lists', property.id] }),
  })
}

function Add() {
  const save = useSave()
  const [name, setName] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() === '') return
    save.mutate({ name: name.trim(), is_confirmed: true }, { onSuccess: () => setName('') })
  }
  return (
    <form className={styles.add} onSubmit={submit}>
      <TextField label={words.newList} value={name} onChange={setName} maxLength={60} autoComplete="off" />
      <Button type="submit" isBusy={save.isPending} disabled={name.trim() === ''}>
        {words.create}
      </Button>
    </form>
  )
}

function OneList({ list }: { list: ContactList }) {
  const save = useSave()
  const { name, is_confirmed, contacts, pending, unsubscribed } = list
  const counts = [
    text.count(number(contacts), contacts),
    ...(pending > 0 ? [words.pending(number(pending))] : []),
    ...(unsubscribed > 0 ? [words.unsubscribed(number(unsubscribed))] : []),
  ]
  return (
    <li>
      <div>
        <h3>{name}</h3>
        <p className={styles.quiet}>{counts.join(' · ')}</p>
      </div>
      <Switch
        label={words.confirm}
        hint={words.confirmHint}
        isOn={is_confirmed}
        disabled={save.isPending}
        onChange={(isOn) => save.mutate({ name, is_confirmed: isOn })}
      />
      <FormsOf list={list} />
    </li>
  )
}

/** Forms of which a good submission asks for the list. */
function FormsOf({ list }: { list: ContactList }) {
  const property = useProperty()
  const save = useSave()
  const { data } = useQuery({
    queryKey: ['forms', property.id, 'all'],
    queryFn: ({ signal }) => listAllForms(property.id, signal),
  })
  const forms = data ?? []
  if (forms.length === 0) return null
  const choose = (id: string, isOn: boolean): void => {
    const others = list.form_ids.filter((one) => one !== id)
    save.mutate({ name: list.name, form_ids: isOn ? [...others, id] : others })
  }
  return (
    <fieldset className={styles.forms} disabled={save.isPending}>
      <legend>{words.forms}</legend>
      {forms.map(({ id, name }) => (
        <Checkbox key={id} label={name} isOn={list.form_ids.includes(id)} onChange={(isOn) => choose(id, isOn)} />
      ))}
    </fieldset>
  )
}
