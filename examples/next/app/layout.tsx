// Every page is counted, also those that are reached without loading a document anew.
import { Footfall } from '@footfall/react'
import Link from 'next/link'
import type { ReactNode } from 'react'

export const metadata = { title: 'Letters, carried' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Footfall
          siteKey={process.env.NEXT_PUBLIC_FOOTFALL_KEY ?? ''}
          base={process.env.NEXT_PUBLIC_FOOTFALL_URL ?? ''}
          outbound
          vitals
        />
        <nav>
          <Link href="/">Start</Link> <Link href="/contact">Contact</Link>
        </nav>
        {children}
      </body>
    </html>
  )
}
