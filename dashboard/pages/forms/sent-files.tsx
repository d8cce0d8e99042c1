// The files of a submission, each to be downloaded: none is shown here, since strangers sent them.
import { fileAddress, type OwnForm, type Submission } from '../../api/forms.ts'
import { bytes } from '../../format.ts'
import { useProperty } from '../../session.tsx'
import { forms as text } from '../../texts/index.ts'
import styles from './forms.module.css'

export function SentFiles({ form, submission }: { form: OwnForm; submission: Submission }) {
  const property = useProperty()
  if (submission.files.length === 0) return null
  return (
    <section>
      <h3>{text.submission.files}</h3>
      <ul className={styles.files}>
        {submission.files.map(({ id, name, bytes: size }) => (
          <li key={id}>
            <a href={fileAddress(property.id, form.id, submission.id, id)} download>
              {name}
            </a>{' '}
            <span className={styles.soft}>{bytes(size)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
