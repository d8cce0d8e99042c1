// Three ways of using the dashboard: a mouse, the keyboard alone, a finger on a small phone. Each counts what
// it takes, and fails where it does not get to a control.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { assertNoSidewaysScroll, untilTrue } from './dashboard.ts'

/** More would be lost: the way is wrong. */
const MOST_TABS = 60
/** On a phone (dashboard/theme.css). Half of it is looked for in each direction, less what rounding takes. */
const LEAST_TARGET_PX = 44
const PROBE_PX = LEAST_TARGET_PX / 2 - 1
/** Of a phone's screen while its keyboard is shown. */
const ABOVE_KEYBOARD_PX = 440
/** One movement of a finger leads as far. */
const SWIPE_SHARE = 0.7

/** Somebody who uses the dashboard, and what it costs them. */
export interface Hand {
  /** Clicks, taps and swipes, or keys. The letters of a text are not among them. */
  readonly count: () => number
  /** A button, link or option. */
  choose(target: Locator): Promise<void>
  /** Into an empty field. */
  type(target: Locator, text: string): Promise<void>
  /** A page of the navigation. @param letter of its shortcut, after G. */
  open(name: string, letter: string): Promise<void>
  /** A section of the settings. */
  openSection(name: string): Promise<void>
}

export const handNames = ['mouse', 'keyboard', 'phone'] as const
export type HandName = (typeof handNames)[number]

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement)

async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  assert.equal(await target.inputValue(), '', `${String(target)} is empty`)
  await page.keyboard.insertText(text)
  assert.equal(await target.inputValue(), text, `what is typed into ${String(target)}`)
}

function mouseOf(page: Page): Hand {
  let count = 0
  const choose = async (target: Locator): Promise<void> => {
    await target.click()
    count += 1
  }
  const open = (name: string): Promise<void> =>
    choose(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }))
  return {
    count: () => count,
    choose,
    open,
    async type(target, text) {
      await target.waitFor()
      if (!(await hasFocus(target))) await choose(target)
      await typeInto(page, target, text)
    },
    async openSection(name) {
      await open('Settings')
      await choose(page.getByRole('tab', { name, exact: true }))
    },
  }
}

/** Nothing lies over what has the focus: it is where somebody looks. */
const isSeen = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const shown = element.ownerDocument.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20))
    return shown !== null && (element.contains(shown) || shown.contains(element))
  })

/** Tab, Enter and shortcuts; nothing is given the focus. */
function keyboardOf(page: Page): Hand {
  let count = 0
  const press = async (key: string): Promise<void> => {
    await page.keyboard.press(key)
    count += 1
  }
  const reach = async (target: Locator): Promise<void> => {
    await target.waitFor()
    // A dialog that has closed, or a page that has gone, leaves the focus to something: nobody starts over.
    if (count > 0) await untilTrue(page, 'document.activeElement !== document.body')
    for (let tabs = 0; !(await hasFocus(target)); tabs += 1) {
      assert.ok(tabs < MOST_TABS, `${String(target)} is not reached by ${MOST_TABS} tabs`)
      await press('Tab')
    }
    assert.ok(await isSeen(target), `${String(target)} is covered while it has the focus`)
  }
  return {
    count: () => count,
    async choose(target) {
      await reach(target)
      await press('Enter')
    },
    async type(target, text) {
      await reach(target)
      await typeInto(page, target, text)
    },
    async open(_name, letter) {
      await press('g')
      await press(letter)
    },
    async openSection(name) {
      await press('ControlOrMeta+k')
      const search = page.getByRole('combobox', { name: 'Search' })
      await search.and(page.locator(':focus')).waitFor()
      await typeInto(page, search, name)
      const found = page.getByRole('option', { name: `Settings: ${name}` })
      await found.and(page.locator('[aria-selected=true]')).waitFor()
      await press('Enter')
    },
  }
}

/** @returns where something else is hit, of the points that a target has to have. */
const missesOf = (target: Locator): Promise<string[]> =>
  target.evaluate((element, probe) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const page = element.ownerDocument
    const [x, y] = [left + width / 2, top + height / 2]
    const points = { above: [x, y - probe], below: [x, y + probe], before: [x - probe, y], behind: [x + probe, y] }
    return Object.entries(points).flatMap(([where, [atX = 0, atY = 0]]) => {
      const hit = page.elementFromPoint(atX, atY)
      return hit === null || element.contains(hit) ? [] : [`${where}: ${hit.outerHTML.slice(0, 90)}`]
    })
  }, PROBE_PX)

function fingerOf(page: Page): Hand {
  let count = 0
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  const showKeyboard = (isShown: boolean): Promise<void> =>
    page.setViewportSize({ width, height: isShown ? ABOVE_KEYBOARD_PX : height })
  /** @returns how often a finger has to move until the target is on the screen. */
  const swipesTo = (target: Locator): Promise<number> =>
    target.evaluate((element, share) => {
      const { top, bottom } = element.getBoundingClientRect()
      const shown = element.ownerDocument.documentElement.clientHeight
      const beyond = Math.max(0, -top, bottom - shown)
      return Math.ceil(beyond / (shown * share))
    }, SWIPE_SHARE)
  const tap = async (target: Locator): Promise<void> => {
    await target.waitFor()
    count += await swipesTo(target)
    await target.scrollIntoViewIfNeeded()
    assert.deepEqual(await missesOf(target), [], `${String(target)}: where a finger of ${LEAST_TARGET_PX} px misses it`)
    await target.tap()
    count += 1
    await assertNoSidewaysScroll(page)
  }
  const choose = async (target: Locator): Promise<void> => {
    await tap(target)
    await showKeyboard(false)
  }
  const open = async (name: string): Promise<void> => {
    await choose(page.getByRole('button', { name: 'Open menu' }))
    await choose(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }))
  }
  return {
    count: () => count,
    choose,
    open,
    async type(target, text) {
      await tap(target) // One that has the focus already shows no keyboard on every phone.
      await showKeyboard(true)
      await typeInto(page, target, text)
    },
    async openSection(name) {
      await open('Settings')
      await choose(page.getByRole('tab', { name, exact: true }))
    },
  }
}

const hands: Readonly<Record<HandName, (page: Page) => Hand>> = {
  mouse: mouseOf,
  keyboard: keyboardOf,
  phone: fingerOf,
}

export const handOf = (name: HandName, page: Page): Hand => hands[name](page)
