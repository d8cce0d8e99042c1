// The same figures as a table, to read or copy them.
import { NO_FIGURE, zoneName } from '../../format.ts'
import { overview as text } from '../../texts/index.ts'
import styles from './graph-table.module.css'
import type { Moment, Shown } from './metric.ts'

export function GraphTable({ shown }: { shown: Shown }) {
  return (
    <div className={styles.frame} role="region" aria-label={text.graph.label(shown.label)} tabIndex={0}>
      <table className={styles.table}>
        <caption className="visually-hidden">{text.graph.label(shown.label)}</caption>
        <thead>
          <tr>
            <th scope="col">{text.graph.when(zoneName())}</th>
            <th scope="col">{shown.label}</th>
            {shown.isCompared && (
              <>
                <th scope="col">{text.graph.before}</th>
                <th scope="col">{text.graph.change}</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {shown.moments.map((moment, index) => (
            <Row key={index} moment={moment} isCompared={shown.isCompared} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ moment, isCompared }: { moment: Moment; isCompared: boolean }) {
  const { name, value, shown, known, isRunning, expected, shownBefore, change } = moment
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <span title={known ?? undefined}>{shown}</span>
        {isRunning && value !== null && (
          <span className={styles.soft}>
            {' '}
            {text.graph.soFar}
            {expected !== null && `, ${expected} ${text.graph.projectedShort}`}
          </span>
        )}
      </td>
      {isCompared && (
        <>
          <td>{shownBefore}</td>
          <td>{change ?? NO_FIGURE}</td>
        </>
      )}
    </tr>
  )
}
