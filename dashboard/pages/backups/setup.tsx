// Where backups go, when they are taken, and what is not in them.
import type { BackupSetup } from '../../api/backups.ts'
import { dateTime } from '../../format.ts'
import { CodeBlock, Copyable } from '../../parts/copy.tsx'
import { Facts } from '../../parts/panel.tsx'
import { Note } from '../../parts/states.tsx'
import { backups as text } from '../../texts/index.ts'
import styles from './page.module.css'

const HOUR_MINUTES = 60
const DAY_MINUTES = 24 * HOUR_MINUTES

const two = (value: number): string => String(value).padStart(2, '0')

function scheduleWords({ every, minute }: NonNullable<BackupSetup['schedule']>): string {
  if (every === 'hour') return text.hourly
  const ofDay = minute % DAY_MINUTES
  const time = `${two(Math.floor(ofDay / HOUR_MINUTES))}:${two(ofDay % HOUR_MINUTES)}`
  return every === 'day' ? text.daily(time) : text.weekly(Math.floor(minute / DAY_MINUTES), time)
}

const Schedule = ({ setup: { schedule, next_ts: nextTs } }: { setup: BackupSetup }) =>
  schedule === null ? (
    text.unscheduled
  ) : (
    <span title={nextTs === null ? '' : dateTime(nextTs)}>{scheduleWords(schedule)}</span>
  )

/** Whether this installation can take backups at all. */
export const canBackUp = ({ target, facts, records }: BackupSetup): boolean => target !== null && (facts || records)

export function Setup({ setup }: { setup: BackupSetup }) {
  const { target, facts, records, is_encrypted: isEncrypted, keep } = setup
  if (!facts && !records) return <Note>{text.nothingHere}</Note>
  if (target === null) return <Missing />
  return (
    <div className={styles.setup}>
      <Facts
        rows={[
          [text.target, <Copyable key="target" words={target} />],
          [text.schedule, <Schedule key="schedule" setup={setup} />],
          [text.keep, text.kept(keep)],
          [text.encryption, isEncrypted ? text.encrypted : text.unencrypted],
        ]}
      />
      {!facts && <Note tone="warn">{text.factsElsewhere}</Note>}
      {!records && <Note tone="warn">{text.recordsElsewhere}</Note>}
    </div>
  )
}

const Missing = () => (
  <div className={styles.setup}>
    <Note tone="warn">
      <strong>{text.offTitle}</strong> {text.off}
    </Note>
    <CodeBlock label={text.example} code={text.exampleSettings} />
  </div>
)
