// Waiting for what a test expects, where the page is still on its way there: a value that is read once, right
// after an action, is read too early now and then. A wait that ends without it fails with what was read last.
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { eventually } from './site.ts'

/** Resolves once `read` gives this. */
export async function untilEqual<Value>(
  read: () => Value | Promise<Value>,
  expected: Awaited<Value>,
  message?: string,
): Promise<void> {
  const found = await eventually(
    async () => read(),
    (value) => isDeepStrictEqual(value, expected),
  )
  assert.deepEqual(found, expected, message)
}

/** Resolves once `read` gives a text of that form. */
export async function untilMatch(
  read: () => string | null | Promise<string | null>,
  expected: RegExp,
  message?: string,
): Promise<void> {
  const found = await eventually(
    async () => (await read()) ?? '',
    (value) => expected.test(value),
  )
  assert.match(found, expected, message)
}

/** Resolves once the page is at an address of which this is true. */
export async function untilAt(page: Page, isThere: (url: URL) => boolean): Promise<void> {
  const there = await eventually(
    async () => isThere(new URL(page.url())),
    (is) => is,
  )
  assert.ok(there, page.url())
}

/** Resolves once no transition or animation is under way: colours and sizes are then what they stay. */
export async function untilStill(page: Page): Promise<void> {
  await untilEqual(
    () => page.evaluate<number>(`document.getAnimations().filter(({ playState }) => playState === 'running').length`),
    0,
    'the page keeps moving',
  )
}
