// Shown when a page breaks down: a way to go on, or after an update, to the new version. The console has the
// error.
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { OutdatedError } from '../later.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/states.tsx'
import { common as text } from '../texts/index.ts'

interface State {
  readonly error: unknown
}

/** React knows error boundaries as classes alone. */
export class Crash extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: undefined }

  static getDerivedStateFromError(error: unknown): State {
    return { error: error ?? new Error('unknown') }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    console.error(error, componentStack)
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    const stale = error instanceof OutdatedError
    return (
      <div role="alert">
        <EmptyState
          title={stale ? text.errors.staleTitle : text.errors.crashTitle}
          actions={
            <Button look="primary" onClick={() => location.reload()}>
              {text.errors.reload}
            </Button>
          }
        >
          {stale ? text.errors.stale : text.errors.crash}
        </EmptyState>
      </div>
    )
  }
}
