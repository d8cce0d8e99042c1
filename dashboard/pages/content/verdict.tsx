// What a test has come to, in a sentence: who is ahead, by how much, how certain that is, how long it still
// takes; and the button that ends it.
import { useState } from 'react'
import type { Block, Results } from '../../api/content.ts'
import { number } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/states.tsx'
import { useCan } from '../../session.tsx'
import { content as text } from '../../texts/index.ts'
import { useBlockChange } from './change.ts'
import styles from './content.module.css'
import { daysLeft } from './remaining.ts'
import { byRate, sentenceOf } from './sentence.ts'

const words = text.verdict

function remainingOf(results: Results): string | undefined {
  if (!results.phase.is_current || results.winner !== null || results.sample_ratio.is_suspicious) return undefined
  const left = daysLeft(results, Date.now() / 1000)
  if (left !== undefined) return words.daysLeft(number(left), left)
  return results.has_enough_data ? words.neverCertain : undefined
}

export function TestVerdict({ block, results }: { block: Block; results: Results }) {
  const { reason, has_enough_data, sample_ratio, winner } = results
  const tone = sample_ratio.is_suspicious ? 'bad' : winner === null ? 'plain' : 'good'
  const sentence = has_enough_data && !sample_ratio.is_suspicious ? sentenceOf(results) : undefined
  return (
    <div className={styles.verdict}>
      <Note tone={tone}>
        {[sentence ?? reason ?? text.results.enough, remainingOf(results)].filter(Boolean).join(' ')}
      </Note>
      <EndTest block={block} results={results} />
    </div>
  )
}

/** With the best version so far; offered once a comparison can be made. */
function EndTest({ block, results }: { block: Block; results: Results }) {
  const canEdit = useCan('admin')
  const change = useBlockChange(block)
  const [isAsking, setAsking] = useState(false)
  const shown = byRate(results.versions)
  const [best] = shown
  const isOffered = canEdit && results.phase.is_current && results.has_enough_data && !block.is_archived
  if (!isOffered || best === undefined || shown.length < 2) return null
  const end = async (): Promise<void> => {
    const weights = Object.fromEntries(
      shown.map(({ version_id }) => [version_id, version_id === best.version_id ? 1 : 0]),
    )
    await change({ weights })
    toast(words.ended(best.label))
  }
  return (
    <>
      <Button look={results.winner === null ? undefined : 'primary'} onClick={() => setAsking(true)}>
        {words.end}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={words.endTitle(best.label)}
          action={words.endAction(best.label)}
          onConfirm={end}
          onClose={() => setAsking(false)}
        >
          {results.winner === null ? `${words.endEarly} ${words.endWords}` : words.endWords}
        </ConfirmDialog>
      )}
    </>
  )
}
