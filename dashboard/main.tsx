// The start of the dashboard.
import './theme.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { onSignedOut } from './api.ts'
import { App } from './app.tsx'
import { watchConnection } from './connection.ts'
import { preloadFirst } from './pages.ts'
import { basePath } from './place.ts'
import { Crash } from './shell/crash.tsx'
import { Announcements } from './parts/announce.tsx'
import { queryClient } from './query.ts'
import { followOtherTabs } from './session.tsx'
import { Notices } from './shell/notices.tsx'

onSignedOut(() => void queryClient.invalidateQueries({ queryKey: ['session'] }))

watchConnection()
followOtherTabs()
preloadFirst()

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no place for the dashboard')

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
