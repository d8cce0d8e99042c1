// The boxes by which rows of a table are chosen, one by one, a range with Shift, or all; and the key for it.
import { useKeys } from '../keys.ts'
import { common as text } from '../texts/index.ts'
import type { Selection } from './table.tsx'
import styles from './table.module.css'

interface ChooseCellProps<Row> {
  readonly selection: Selection<Row>
  readonly row: Row
}

export const ChooseCell = <Row,>({ selection, row }: ChooseCellProps<Row>) => (
  <td role="cell" className={styles.choose}>
    <input
      type="checkbox"
      aria-label={selection.label(row)}
      checked={selection.isChosen(row)}
      onChange={({ nativeEvent }) => selection.onChoose(row, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  </td>
)

interface ChooseAllProps<Row> {
  readonly selection: Selection<Row> | undefined
  readonly rows: readonly Row[] | undefined
}

export function ChooseAll<Row>({ selection, rows = [] }: ChooseAllProps<Row>) {
  if (!selection) return null
  return (
    <th role="columnheader" scope="col" className={styles.choose}>
      <input
        type="checkbox"
        aria-label={selection.allLabel}
        checked={rows.length > 0 && rows.every(selection.isChosen)}
        onChange={selection.onAll}
      />
    </th>
  )
}

/** X chooses the row that has the focus, with Shift all from the last one on. */
export function useChoosingKey<Row>(selection: Selection<Row> | undefined, rows: readonly Row[] | undefined): void {
  const choose = (isRange: boolean): void => {
    const focused = document.activeElement?.closest('tbody > tr')
    const at = [...(focused?.parentElement?.children ?? [])].findIndex((each) => each === focused)
    const row = rows?.[at]
    if (row !== undefined) selection?.onChoose(row, isRange)
  }
  const { keyLabel = '' } = selection ?? {}
  useKeys(
    selection ? [{ key: 'x', label: keyLabel, group: text.keys.lists, run: (event) => choose(event.shiftKey) }] : [],
  )
}
