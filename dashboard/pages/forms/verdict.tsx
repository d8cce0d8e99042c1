// What is thought of a submission: the owner's word, else the score.
import type { Submission } from '../../api/forms.ts'
import { Badge, type Tone } from '../../parts/marks.tsx'
import { forms as text } from '../../texts/index.ts'

const tones: Readonly<Record<Submission['verdict'], Tone>> = { clean: 'good', flagged: 'warn', dropped: 'bad' }

export function VerdictBadge({ submission }: { submission: Pick<Submission, 'verdict' | 'mark' | 'score'> }) {
  const { verdict, mark, score } = submission
  if (mark !== null) return <Badge tone={mark === 'spam' ? 'bad' : 'good'}>{text.marks[mark]}</Badge>
  return (
    <Badge tone={tones[verdict]}>
      {verdict === 'clean' ? text.verdicts.clean : `${text.verdicts[verdict]} · ${score}`}
    </Badge>
  )
}

/** In a list: most are clean, which needs no word. */
export const isRemarkable = ({ verdict, mark }: Pick<Submission, 'verdict' | 'mark'>): boolean =>
  mark !== null || verdict !== 'clean'
