// The code of a new link, optional: whether it is free is told while it is typed, with others that are.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { checkCode, type Availability, type Domain } from '../../api/links.ts'
import { TextField } from '../../parts/fields.tsx'
import { useProperty } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { useSettled } from '../../typed.ts'
import { withScheme } from './destination.ts'
import { shortName, useLinkDomains } from './links.ts'
import styles from './links.module.css'

const words = text.code

export interface CodeFieldProps {
  readonly name: string
  readonly value: string
  readonly onChange: (code: string) => void
  readonly errors: readonly string[]
  readonly domain: Domain
  /** Suggestions are made of these. */
  readonly linkName: string
  readonly destination: string
}

export function CodeField({ name, value, onChange, errors, domain, linkName, destination }: CodeFieldProps) {
  const url = useLinkDomains().find((one) => one.domain === domain)?.url
  const availability = useAvailability({ domain, value, linkName, destination })
  const answer = errors.length > 0 ? undefined : availability
  const code = value.trim()
  return (
    <div className={styles.codeField}>
      <TextField
        label={words.label}
        hint={url === undefined ? undefined : words.becomes(`${shortName(url)}/${code || words.random}`)}
        name={name}
        value={value}
        onChange={onChange}
        errors={errors}
        maxLength={64}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        placeholder={words.placeholder}
      />
      <p className={styles.codeState} aria-live="polite" data-tone={answer?.is_free ? 'good' : 'bad'}>
        {code !== '' && answer && (answer.reason === null ? words.free : words.reasons[answer.reason])}
      </p>
      {answer && !answer.is_free && <Suggestions codes={answer.suggestions} onChoose={onChange} />}
    </div>
  )
}

/** Asked a moment after the last key; an answer about another code is not shown. */
function useAvailability(ask: Pick<CodeFieldProps, 'domain' | 'value' | 'linkName' | 'destination'>) {
  const property = useProperty()
  const { domain, value, linkName, destination } = ask
  const typed = { domain, code: value.trim(), name: linkName.trim(), destination_url: withScheme(destination) }
  const settled = useSettled(JSON.stringify(typed))
  const isSettled = settled === JSON.stringify(typed)
  const { data } = useQuery<Availability>({
    queryKey: ['link-code', property.id, settled],
    queryFn: ({ signal }) => checkCode(property.id, JSON.parse(settled) as typeof typed, signal),
    placeholderData: keepPreviousData,
    enabled: typed.code !== '' || typed.name !== '' || typed.destination_url !== '',
    retry: false,
  })
  return isSettled ? data : undefined
}

function Suggestions({ codes, onChoose }: { codes: readonly string[]; onChoose: (code: string) => void }) {
  if (codes.length === 0) return null
  return (
    <div className={styles.chips} role="group" aria-label={words.suggestions}>
      {codes.map((code) => (
        <button key={code} type="button" className={styles.chip} onClick={() => onChoose(code)}>
          {code}
        </button>
      ))}
    </div>
  )
}
