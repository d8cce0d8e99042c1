// Which figures of an overview are shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Card } from '../../api/overview.ts'
import { shownCards } from './known.ts'

type Figures = Pick<Card, 'id' | 'current' | 'previous'>

const cardOf = (id: Card['id'], current = 0, previous: number | null = null): Figures => ({ id, current, previous })

const idsOf = (cards: readonly Figures[], only?: readonly Card['id'][]) => shownCards(cards, only).map(({ id }) => id)

test('a cost is shown once one is recorded, in this window or the other; visits stand beside sessions', () => {
  const others = [cardOf('sessions'), cardOf('visits', 3), cardOf('value')]
  assert.deepEqual(idsOf([...others, cardOf('cost')]), ['sessions', 'value'])
  assert.deepEqual(idsOf([...others, cardOf('cost', 0, 0)]), ['sessions', 'value'])
  assert.deepEqual(idsOf([...others, cardOf('cost', 12, null)]), ['sessions', 'value', 'cost'])
  assert.deepEqual(idsOf([...others, cardOf('cost', 0, 12)]), ['sessions', 'value', 'cost'])
  assert.deepEqual(idsOf([...others, cardOf('cost', 12)], ['value']), ['value'])
})
