// What a link will do, answered by the service: the full address, and the channel and source of its visitors.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type PreviewAsk, previewLink, type UtmValues } from '../../api/links.ts'
import { Facts } from '../../parts/panel.tsx'
import { useProperty } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { useSettled } from '../../typed.ts'
import styles from './links.module.css'
import { channelName, sourceName } from '../../service-words.ts'

const words = text.editor

const isAddress = (url: string): boolean => /^https?:\/\/[^\s/?#]/i.test(url) && URL.canParse(url)

export function LinkPreview({ destination, utm }: { destination: string; utm: UtmValues }) {
  const property = useProperty()
  const settled = useSettled(JSON.stringify({ destination_url: destination.trim(), utm } satisfies PreviewAsk))
  const ask = JSON.parse(settled) as PreviewAsk
  const isReady = isAddress(ask.destination_url)
  const { data, error } = useQuery({
    queryKey: ['link-preview', property.id, settled],
    queryFn: ({ signal }) => previewLink(property.id, ask, signal),
    placeholderData: keepPreviousData,
    enabled: isReady,
    retry: false,
  })
  return (
    <section className={styles.preview} aria-label={words.preview} aria-live="polite">
      <h3>{words.preview}</h3>
      {isReady && data && !error ? (
        <Facts
          rows={[
            [
              words.leads,
              <span key="url" className={styles.address}>
                {data.destination_url}
              </span>,
            ],
            [words.channel, <strong key="channel">{channelName(data.channel.category, data.channel.label)}</strong>],
            [words.source, sourceName(data.source_name)],
          ]}
        />
      ) : (
        <p className={styles.small}>{error && isReady ? error.message : words.previewEmpty}</p>
      )}
    </section>
  )
}
