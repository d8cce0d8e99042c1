// Saved searches of contacts: chosen from a menu, saved under a name for oneself or for everybody, deleted.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { deleteSearch, listSearches, saveSearch, type SavedSearch } from '../../api/contacts.ts'
import { toast } from '../../parts/announce.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Checkbox, TextField } from '../../parts/fields.tsx'
import { Loaded, SkeletonLines } from '../../parts/states.tsx'
import { useCan, useProperty } from '../../session.tsx'
import { contacts as text } from '../../texts/index.ts'
import styles from './searches.module.css'

const words = text.searches

/** As the service takes it. */
export type Query = SavedSearch['query']

interface SearchesProps {
  /** What is searched for now; empty: everybody. */
  readonly query: Query
  readonly onChoose: (query: Query) => void
  /** The panel has its size. */
  readonly onReady: () => void
}

export default function Searches({ query, onChoose, onReady }: SearchesProps) {
  const property = useProperty()
  const searches = useQuery({
    queryKey: ['contact-searches', property.id],
    queryFn: ({ signal }) => listSearches(property.id, signal),
  })
  const isThere = searches.data !== undefined
  useEffect(() => {
    if (isThere) onReady()
  }, [isThere, onReady])
  return (
    <div className={styles.searches}>
      <Loaded query={searches} skeleton={<SkeletonLines lines={3} />}>
        {(answer) =>
          answer.searches.length === 0 ? (
            <p className={styles.quiet}>{words.none}</p>
          ) : (
            <ul>
              {answer.searches.map((search) => (
                <OneSearch key={search.id} search={search} onChoose={onChoose} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {Object.keys(query).length > 0 && <Save query={query} />}
    </div>
  )
}

function useForget() {
  const property = useProperty()
  const client = useQueryClient()
  return async () => client.invalidateQueries({ queryKey: ['contact-searches', property.id] })
}

function OneSearch({ search, onChoose }: { search: SavedSearch; onChoose: SearchesProps['onChoose'] }) {
  const property = useProperty()
  const forget = useForget()
  const isAdmin = useCan('admin')
  const drop = useMutation({ mutationFn: () => deleteSearch(property.id, search.id), onSuccess: forget })
  return (
    <li>
      <button type="button" className={styles.choice} onClick={() => onChoose(search.query)}>
        {search.name}
        {search.is_shared && <span className={styles.quiet}>{words.shared}</span>}
      </button>
      {(isAdmin || !search.is_shared) && (
        <IconButton size="small" label={words.delete(search.name)} icon={<Trash2 />} onClick={() => drop.mutate()} />
      )}
    </li>
  )
}

function Save({ query }: { query: Query }) {
  const property = useProperty()
  const forget = useForget()
  const isAdmin = useCan('admin')
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  const save = useMutation({
    mutationFn: () => saveSearch(property.id, { name, query, is_shared: isShared }),
    onSuccess: async () => {
      toast(words.saved(name.trim()))
      setName('')
      await forget()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() !== '') save.mutate()
  }
  return (
    <form className={styles.save} onSubmit={submit}>
      <TextField label={words.name} value={name} onChange={setName} maxLength={80} autoComplete="off" />
      {isAdmin && <Checkbox label={words.forAll} isOn={isShared} onChange={setShared} />}
      <Button type="submit" look="primary" isBusy={save.isPending} disabled={name.trim() === ''}>
        {words.save}
      </Button>
    </form>
  )
}
