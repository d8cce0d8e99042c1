// “iPhone in France → …”: where the rules that are typed would send a visitor, answered by the service.
import { useMutation } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { type Link, type Outcome, tryRules } from '../../api/links.ts'
import { number } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { Select, TextField } from '../../parts/fields.tsx'
import { useProperty } from '../../session.tsx'
import { link as text } from '../../texts/index.ts'
import styles from './links.module.css'
import { changeOf, type RulesValues, tsOf } from './rules-values.ts'

const words = text.rules

/** Visitors of whom everybody has heard: device and system. */
const kinds = {
  iphone: { device: 'mobile', os: 'iOS' },
  android: { device: 'mobile', os: 'Android' },
  ipad: { device: 'tablet', os: 'iOS' },
  windows: { device: 'desktop', os: 'Windows' },
  mac: { device: 'desktop', os: 'macOS' },
} as const
type Kind = keyof typeof kinds

function outcomeWords({ outcome, destination_url, rule_number, others }: Outcome): string {
  if (outcome === 'not_started')
    return destination_url === null ? words.outcomes.notStarted : words.outcomes.beforeStart(destination_url)
  if (outcome === 'expired')
    return destination_url === null ? words.outcomes.expired : words.outcomes.afterExpiry(destination_url)
  const destinations = [destination_url ?? '', ...others].join(words.outcomes.or)
  if (rule_number !== null) return words.outcomes.byRule(destinations, number(rule_number))
  return others.length > 0 ? words.outcomes.bySplit(destinations) : destinations
}

export function RulesTry({ link, rules }: { link: Link; rules: RulesValues }) {
  const property = useProperty()
  const [kind, setKind] = useState<Kind>('iphone')
  const [country, setCountry] = useState('FR')
  const [language, setLanguage] = useState('fr')
  const [when, setWhen] = useState('')
  const attempt = useMutation({
    mutationFn: () => {
      const at_ts = tsOf(when)
      const where = { country: country.trim().toUpperCase(), language: language.trim() }
      const visitor = { ...kinds[kind], ...where, ...(at_ts !== null && { at_ts }) }
      return tryRules(property.id, link.id, { visitor, rules: changeOf(rules) })
    },
  })
  return (
    <section className={styles.try} aria-label={words.try}>
      <h3>{words.try}</h3>
      <div className={styles.tryRow}>
        <Select
          label={words.visitor}
          value={kind}
          onChange={(value) => setKind(value as Kind)}
          options={Object.entries(words.kinds).map(([value, label]) => ({ value, label }))}
        />
        <TextField label={words.tryCountry} value={country} onChange={setCountry} maxLength={2} />
        <TextField label={words.tryLanguage} value={language} onChange={setLanguage} maxLength={35} />
        <TextField label={words.tryWhen} type="datetime-local" value={when} onChange={setWhen} />
        <Button
          className={styles.tryButton}
          icon={<Play aria-hidden="true" />}
          isBusy={attempt.isPending}
          onClick={() => attempt.mutate()}
        >
          {words.tryButton}
        </Button>
      </div>
      <p className={styles.address} aria-live="polite">
        {attempt.data && `→ ${outcomeWords(attempt.data)}`}
      </p>
    </section>
  )
}
