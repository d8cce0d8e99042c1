'use client'
// Footfall for React: what the libraries do with elements and calls, as components and a hook. Nothing here
// throws at the page, and nothing runs on a server that renders.
import { type Answer, content, createForms, type Scalar, signals, type SignalsOptions } from '@footfall/browser'
import { type FormHTMLAttributes, memo, type ReactElement, useCallback, useEffect, useRef } from 'react'

export interface FootfallProps extends Omit<SignalsOptions, 'key' | 'vitals'> {
  /** The key of the property: `ff_…`. */
  readonly siteKey: string
  /** Measures how fast pages are for visitors. Loaded on demand. */
  readonly vitals?: boolean
}

/** Of the page, as the libraries themselves: a second `<Footfall>`, or a second mounting, changes nothing. */
let isStarted = false

function start({ siteKey: key, vitals = false, ...options }: FootfallProps): void {
  if (isStarted) return
  isStarted = true
  const service = { key, base: options.base }
  signals.start({ ...options, key })
  content.start(service)
  createForms({ ...service, session: () => signals.session }).watch((forms) => {
    void import('@footfall/browser/managed').then(({ watchManaged }) => watchManaged(forms)).catch(() => undefined)
  })
  if (vitals)
    void import('@footfall/browser/vitals')
      .then(({ watchVitals }) => watchVitals(signals, service))
      .catch(() => undefined)
}

/** Counts page views from now on, and makes `<Form>` and `<Block>` work. Once, near the root. */
export function Footfall(props: FootfallProps): null {
  const first = useRef(props)
  useEffect(() => start(first.current), [])
  return null
}

type Meta = Readonly<Record<string, unknown>>

/**
 * A function that reports an event of the visitor; it stays the same, so it may stand in dependencies.
 * Reported before `<Footfall>` has started, it waits for it.
 */
export function useEvent(): (name: string, value?: Scalar, meta?: Meta) => Promise<Answer> {
  return useCallback((name, value, meta) => signals.event(name, value, meta), [])
}

/** Listens to an event of the libraries on an element; the latest listener is called. */
function useFootfallEvent<Element extends HTMLElement, Detail>(
  name: string,
  listener: ((event: CustomEvent<Detail>) => void) | undefined,
) {
  const element = useRef<Element>(null)
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    const target = element.current
    const hear = (event: Event): void => latest.current?.(event as CustomEvent<Detail>)
    target?.addEventListener(name, hear)
    return () => target?.removeEventListener(name, hear)
  }, [name])
  return element
}

export interface FormProps extends FormHTMLAttributes<HTMLFormElement> {
  /** The key of the form: `fk_…`. */
  readonly form: string
  /**
   * It was sent: with `event.preventDefault()` the form stays, ready to be filled in again, and the page says
   * thanks itself.
   */
  readonly onSent?: (event: CustomEvent<{ readonly original: Readonly<Record<string, unknown>> }>) => void
}

/** A form of yours that is sent through the service, with the fields that stand in it. */
export function Form({ form, onSent, ...given }: FormProps): ReactElement {
  const element = useFootfallEvent<HTMLFormElement, { readonly original: Meta }>('footfall:success', onSent)
  return <form key={form} {...given} ref={element} data-footfall={form} />
}

export interface ManagedFormProps {
  /** The key of a managed form: it is drawn as its owner built it. */
  readonly form: string
  readonly className?: string
}

const noHtml = { __html: '' }

/** React leaves alone what is drawn in it. */
export const ManagedForm = memo(function ManagedForm({ form, className }: ManagedFormProps): ReactElement {
  return <div key={form} className={className} data-footfall-form={form} dangerouslySetInnerHTML={noHtml} />
})

/** What is shown: a version of the block, or the fallback with a reason. */
export type BlockDetail = { readonly success: boolean; readonly version_label?: string } | null | undefined

export interface BlockProps {
  /** The key of the block. */
  readonly name: string
  /** HTML that stands there until the block is there, and whenever it does not come. */
  readonly fallback?: string
  readonly className?: string
  readonly onShown?: (event: CustomEvent<BlockDetail>) => void
}

/** A content block, in the version for this visitor. React leaves alone what is drawn in it. */
export const Block = memo(function Block({ name, fallback = '', className, onShown }: BlockProps): ReactElement {
  const element = useFootfallEvent<HTMLDivElement, BlockDetail>('footfall:content', onShown)
  const html = useRef({ __html: fallback })
  return (
    <div
      key={name}
      ref={element}
      className={className}
      data-footfall-content={name}
      dangerouslySetInnerHTML={html.current}
    />
  )
})
