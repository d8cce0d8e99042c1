// A single-page app with the three libraries from npm. They are started once, beside React: they find what
// the components render.
import { content } from '@footfall/browser/content'
import { createForms } from '@footfall/browser/form'
import { signals } from '@footfall/browser/signals'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** In an app of yours these are constants. */
const app = document.getElementById('app') as HTMLElement
const { service: base = '', key = '', form = '', content: block = '' } = app.dataset

signals.start({ key, base })
content.start({ key, base })
createForms({ key, base, session: () => signals.session }).watch()

/**
 * React draws the element and no more: what stands in it belongs to the block, and is drawn anew for another
 * `block`.
 */
function Content({ block, fallback }: { block: string; fallback: string }) {
  return (
    <div key={block} className="hero" data-footfall-content={block} dangerouslySetInnerHTML={{ __html: fallback }} />
  )
}

function Start() {
  return (
    <>
      <Content
        block={block}
        fallback='<h1>Letters, carried</h1><p><a data-cta="prices" href="#">What it costs</a></p>'
      />
      <button onClick={() => void signals.event('order', 'letter')}>Order a stamp</button>
    </>
  )
}

function Contact() {
  return (
    <section>
      <h1>Contact</h1>
      <form data-footfall={form}>
        <label>
          Name <input name="name" required />
        </label>
        <label>
          Email <input name="email" type="email" required />
        </label>
        <label>
          Message <textarea name="message" minLength={10} required />
        </label>
        <button>Send</button>
      </form>
    </section>
  )
}

const pageOfAddress = () => new URLSearchParams(location.search).get('page') ?? 'start'

function App() {
  const [page, setPage] = useState(pageOfAddress)
  useEffect(() => {
    const back = () => setPage(pageOfAddress())
    addEventListener('popstate', back)
    return () => removeEventListener('popstate', back)
  }, [])
  const go = (next: string) => {
    // A page of its own to signals.js: another path. What stands behind ? and # is not.
    history.pushState(null, '', next === 'start' ? '/react/' : `/react/${next}?page=${next}`)
    setPage(next)
  }
  return (
    <>
      <nav>
        <button onClick={() => go('start')}>Start</button> <button onClick={() => go('contact')}>Contact</button>
      </nav>
      {page === 'contact' ? <Contact /> : <Start />}
    </>
  )
}

createRoot(app).render(<App />)
