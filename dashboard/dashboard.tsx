// The dashboard itself. Its texts have been loaded (main.tsx).
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { onSignedOut } from './api.ts'
import { App } from './app.tsx'
import { watchConnection } from './connection.ts'
import { Announcements } from './parts/announce.tsx'
import { basePath } from './place.ts'
import { queryClient } from './query.ts'
import { followOtherTabs } from './session.tsx'
import { Crash } from './shell/crash.tsx'
import { Notices } from './shell/notices.tsx'

onSignedOut(() => void queryClient.invalidateQueries({ queryKey: ['session'] }))

watchConnection()
followOtherTabs()

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no place for the dashboard')

removeFirst(root)

createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <Router base={basePath}>
      <Crash>
        <App />
      </Crash>
      <Notices />
      <Announcements />
    </Router>
  </QueryClientProvider>,
)

/** What index.html shows of the overview, once there is more to see here than a skeleton. */
function removeFirst(app: HTMLElement): void {
  const first = document.getElementById('first')
  const observer = new MutationObserver(() => {
    if (app.querySelector('[data-alone]')) return
    observer.disconnect()
    first?.remove()
  })
  observer.observe(app, { childList: true, subtree: true })
}
