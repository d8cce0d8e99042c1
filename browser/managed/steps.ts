// The steps of a managed form: one at a time, forward by the button of the form, back by another one.
import type { BlueprintField, ManagedTexts } from '../managed.ts'
import { drawField, make } from './draw.ts'

/** Without steps the fields themselves, for a layout as it always was. */
export function drawSteps(fields: readonly BlueprintField[]): HTMLElement[] {
  const cells = fields.map(drawField)
  const begins = fields.flatMap(({ step }, at) => (step && at ? [at] : []))
  if (!begins.length) return cells
  const starts = [0, ...begins]
  return starts.map((start, at) => {
    const heading = make(
      'h3',
      { tabIndex: -1 },
      `${at + 1}/${starts.length} ${(fields[start] as BlueprintField).step || ''}`,
    )
    return make('div', { className: 'step', hidden: !!at }, heading, ...cells.slice(start, starts[at + 1]))
  })
}

const controlsIn = (step: Element | undefined): HTMLInputElement[] =>
  step ? [...step.querySelectorAll<HTMLInputElement>('input,select,textarea')] : []

/** @returns what the button of the form says in the step that is shown. */
export function takeSteps(
  form: HTMLFormElement,
  send: HTMLElement,
  { next = 'Next', back = 'Back' }: ManagedTexts,
  label: string,
): () => string {
  const steps = [...form.querySelectorAll<HTMLElement>('.step')]
  const last = steps.length - 1
  let shown = 0
  const labelOf = (): string => (shown < last ? next : label)
  if (last < 1) return labelOf
  const goBack = make('button', { type: 'button', className: 'back' }, back)
  const show = (at: number): void => {
    shown = at
    steps.forEach((step, other) => (step.hidden = other !== at))
    goBack.hidden = !at
    send.textContent = labelOf()
  }
  const go = (at: number): void => {
    show(at)
    const heading = (steps[at] as HTMLElement).firstChild as HTMLElement
    heading.focus()
  }
  send.before(goBack)
  goBack.addEventListener('click', () => go(shown - 1))
  form.addEventListener('submit', (event) => {
    if (shown === last) return
    event.preventDefault()
    const controls = controlsIn(steps[shown])
    // What the service has found stays where it is shown; the browser finds the rest.
    const faulty = controls.find((control) => control.getAttribute('aria-invalid') === 'true')
    if (faulty) faulty.focus()
    else if (controls.every((control) => control.reportValidity())) go(shown + 1)
  })
  form.addEventListener('footfall:invalid', (event) => {
    const { errors } = (event as CustomEvent<{ errors: object }>).detail
    const faultyIn = (step: Element | undefined): HTMLInputElement | undefined =>
      controlsIn(step).find(({ name }) => name in errors)
    const at = steps.findIndex(faultyIn)
    if (at < 0) return
    show(at)
    faultyIn(steps[at])?.focus()
  })
  show(0)
  return labelOf
}
