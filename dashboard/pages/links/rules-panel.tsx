// The rules of a link in short: when it works, and where it leads whom. For changing them, a dialog.
import { useQuery } from '@tanstack/react-query'
import { Pencil, Split } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { type Link, type LinkRules, readRules } from '../../api/links.ts'
import { dateTime, number, percent } from '../../format.ts'
import { later } from '../../later.ts'
import { Button } from '../../parts/button.tsx'
import { Facts, Panel } from '../../parts/panel.tsx'
import { EmptyState, Loaded, SkeletonLines } from '../../parts/states.tsx'
import { useCan, useProperty } from '../../session.tsx'
import { link as text } from '../../texts/index.ts'
import { flagParam, useUrlState } from '../../url.ts'
import { rulesKey, shortName } from './links.ts'
import styles from './links.module.css'

const RulesDialog = lazy(later(() => import('./rules-dialog.tsx')))

const words = text.rules
const codecs = { rules: flagParam }

export function RulesPanel({ link }: { link: Link }) {
  const property = useProperty()
  const canEdit = useCan('admin')
  const [{ rules: isOpen }, setState] = useUrlState<{ rules: boolean }>(codecs)
  const rules = useQuery({
    queryKey: rulesKey(property.id, link.id),
    queryFn: ({ signal }) => readRules(property.id, link.id, signal),
  })
  const edit = canEdit && (
    <Button size="small" icon={<Pencil aria-hidden="true" />} onClick={() => setState({ rules: true })}>
      {words.edit}
    </Button>
  )
  return (
    <Panel title={words.title} actions={edit}>
      <Loaded query={rules} skeleton={<SkeletonLines lines={2} />}>
        {({ rules: loaded }) => (
          <>
            <Summary rules={loaded} />
            {isOpen && canEdit && (
              <Suspense>
                <RulesDialog link={link} rules={loaded} onClose={() => setState({ rules: false }, { replace: true })} />
              </Suspense>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

/** “mobile · iOS · FR” */
function conditionWords({ when }: LinkRules['rules'][number]): string {
  const { device = [], os = [], country = [], language = [], from_ts, until_ts } = when
  const lists = [device.map((one) => words.devices[one]), os, country, language].map((entries) => entries.join(', '))
  const from = from_ts === undefined ? '' : words.from(dateTime(from_ts))
  const until = until_ts === undefined ? '' : words.until(dateTime(until_ts))
  return [...lists, from, until].filter(Boolean).join(' · ')
}

const To = ({ url }: { url: string }) => <span className={styles.address}>{shortName(url)}</span>

type Row = readonly [string, ReactNode] | false

/** For how long, how often and for whom it works. */
function limitRows({ starts_ts, ends_ts, max_clicks, used_clicks, has_password, expired_url }: LinkRules): Row[] {
  return [
    starts_ts !== null && [words.starts, dateTime(starts_ts)],
    ends_ts !== null && [words.ends, dateTime(ends_ts)],
    max_clicks !== null && [words.maxClicks, words.clicksUsed(number(used_clicks), number(max_clicks))],
    has_password && [words.password, words.required],
    expired_url !== null && [words.expiredUrl, <To key="expired" url={expired_url} />],
  ]
}

function Summary({ rules: loaded }: { rules: LinkRules }) {
  const { rules, split } = loaded
  const limits = limitRows(loaded)
  const sum = split.reduce((total, { weight }) => total + weight, 0)
  if (!limits.some(Boolean) && rules.length === 0 && split.length === 0)
    return (
      <EmptyState isSmall icon={<Split />} title={words.none}>
        {words.noneHint}
      </EmptyState>
    )
  return (
    <Facts
      rows={[
        ...limits,
        ...rules.map((rule) => [conditionWords(rule), <To key={rule.id} url={rule.destination_url} />] as const),
        ...split.map(
          ({ id, destination_url, weight }) =>
            [words.share(percent(weight / sum)), <To key={id} url={destination_url} />] as const,
        ),
      ]}
    />
  )
}
