// The bodies for team chats (docs/webhooks.md#team-chats). What people wrote is text in all of them: it marks
// nothing up, mentions nobody and links to nothing of its own.
import type { ChatPayload } from '../kernel/payloads.ts'
import type { ChatMessage } from './chat-message.ts'

const OPEN = 'Open in Footfall'

type Render = (message: ChatMessage, url: string) => string

const linesOf = ({ title, facts, url }: ChatMessage): string =>
  [title, ...facts.map(([label, value]) => `${label}: ${value}`), url].join('\n')

/** Without as many of the last facts as are too many. */
function fitting(message: ChatMessage, sizeOf: (text: string) => number, most: number): ChatMessage {
  const isTooLong = message.facts.length > 0 && sizeOf(linesOf(message)) > most
  return isTooLong ? fitting({ ...message, facts: message.facts.slice(0, -1) }, sizeOf, most) : message
}

// ---------------------------------------------------------------- Slack

/** Slack reads three characters as its own, also in plain text of the notification. */
const forSlack = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const plain = (text: string) => ({ type: 'plain_text', text, emoji: false })

const slack: Render = ({ title, facts, url }) =>
  JSON.stringify({
    text: forSlack(title),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(title) },
      // Plain text, which has neither markup nor mentions; a block holds 3,000 characters.
      ...facts.map(([label, value]) => ({ type: 'section', text: plain(`${label}: ${value}`) })),
      { type: 'section', text: { type: 'mrkdwn', text: `<${forSlack(url)}|${OPEN}>` } },
    ],
  })

// ---------------------------------------------------------------- Discord

/** Every character that its Markdown may read as a mark; a colon in a URL, so that it becomes no link. */
const forDiscord = (text: string): string =>
  text.replaceAll(/[\\*_~`|>#\-[\]()<@:]/g, (mark) => (mark === ':' ? ':\u200b' : `\\${mark}`))

/** Of a field; escaping may double it. */
const DISCORD_VALUE = 1_024
const DISCORD_NAME = 256
/** Of all texts of a message are 6,000 allowed. */
const DISCORD_FACTS = 6

const discord: Render = ({ title, facts, url }) =>
  JSON.stringify({
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: forDiscord(title).slice(0, DISCORD_NAME),
        url,
        fields: facts.slice(0, DISCORD_FACTS).map(([label, value]) => ({
          name: forDiscord(label).slice(0, DISCORD_NAME),
          value: forDiscord(value).slice(0, DISCORD_VALUE),
        })),
      },
    ],
  })

// ---------------------------------------------------------------- Teams

/** The Markdown of Adaptive Cards, and its functions in double braces. */
const forTeams = (text: string): string =>
  text
    .replaceAll(/[\\*_[\]()#`~>!-]/g, '\\$&')
    .replaceAll('{{', '{\u200b{')
    .replaceAll('://', ':\u200b//')

const teams: Render = ({ title, facts, url }) =>
  JSON.stringify({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'TextBlock', text: forTeams(title), weight: 'Bolder', size: 'Medium', wrap: true },
            {
              type: 'FactSet',
              facts: facts.map(([label, value]) => ({ title: forTeams(label), value: forTeams(value) })),
            },
          ],
          actions: [{ type: 'Action.OpenUrl', title: OPEN, url }],
        },
      },
    ],
  })

// ---------------------------------------------------------------- Telegram

const forTelegram = (text: string): string => forSlack(text).replaceAll('"', '&quot;')

const TELEGRAM_LETTERS = 4_000

/** The chat is named in the address, as `?chat_id=`. */
const telegram: Render = (message, address) => {
  const { title, facts, url } = fitting(message, ({ length }) => length, TELEGRAM_LETTERS)
  return JSON.stringify({
    chat_id: URL.parse(address)?.searchParams.get('chat_id') ?? '',
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
    text: [
      `<b>${forTelegram(title)}</b>`,
      ...facts.map(([label, value]) => `${forTelegram(label)}: ${forTelegram(value)}`),
      `<a href="${forTelegram(url)}">${OPEN}</a>`,
    ].join('\n'),
  })
}

// ---------------------------------------------------------------- ntfy

/** The body is the message; above 4,096 bytes it would come as a file. */
const NTFY_BYTES = 4_000

const ntfy: Render = (message) => linesOf(fitting(message, (text) => Buffer.byteLength(text), NTFY_BYTES))

const renders: Readonly<Record<ChatPayload, Render>> = { slack, discord, teams, telegram, ntfy }

/** @param address that is called. */
export const chatBody = (payload: ChatPayload, message: ChatMessage, address: string): string =>
  renders[payload](message, address)
