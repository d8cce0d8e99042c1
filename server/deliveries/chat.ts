// The bodies for team chats (docs/webhooks.md#team-chats). What people wrote is text in all of them: it marks
// nothing up, mentions nobody and links to nothing of its own.
import type { ChatPayload } from '../kernel/payloads.ts'
import type { ChatMessage } from './chat-message.ts'

const OPEN = 'Open in Footfall'

type Render = (message: ChatMessage, url: string) => string

/** Further lines of a value stand under it: none is taken for another fact, or for our link. */
const indented = (value: string): string => value.replaceAll(/\r\n?|[\n\u2028\u2029\u0085\v\f]/g, '\n  ')

/** At most so many UTF-16 units, and no character cut in half. */
const cut = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '')

interface Limit {
  readonly sizeOf: (text: string) => number
  readonly most: number
}

/** Without as many of the last facts as are too many. */
function fitting(message: ChatMessage, write: (message: ChatMessage) => string, limit: Limit): string {
  const text = write(message)
  if (message.facts.length === 0 || limit.sizeOf(text) <= limit.most) return text
  return fitting({ ...message, facts: message.facts.slice(0, -1) }, write, limit)
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
      ...facts.map(([label, value]) => ({ type: 'section', text: plain(`${label}: ${indented(value)}`) })),
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
        title: cut(forDiscord(title), DISCORD_NAME),
        url,
        fields: facts.slice(0, DISCORD_FACTS).map(([label, value]) => ({
          name: cut(forDiscord(label), DISCORD_NAME),
          value: cut(forDiscord(value), DISCORD_VALUE),
        })),
      },
    ],
  })

// ---------------------------------------------------------------- Teams

/** The Markdown of Adaptive Cards, and its functions in double braces. */
const forTeams = (text: string): string =>
  text
    .replaceAll(/[\\*_[\]()#`~>!-]/g, '\\$&')
    .replaceAll(/\{(?=\{)/g, '{\u200b')
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

/**
 * Telegram finds URLs, mentions, commands and hashtags in every text, whatever its markup, but in code: what
 * was written stands in code, where a touch copies it. In labels and titles a blank of no width ends them.
 */
const asCode = (value: string): string => `<code>${forTelegram(indented(value))}</code>`
const unlinked = (text: string): string => forTelegram(text.replaceAll(/[@#$/.]/g, '$&\u200b'))

/** Of what is read: without tags, and an escaped character is one. */
const telegramLimit: Limit = {
  sizeOf: (text) => text.replaceAll(/<[^>]*>/g, '').replaceAll(/&\w+;/g, 'x').length,
  most: 4_000,
}

const telegramText = ({ title, facts, url }: ChatMessage): string =>
  [
    `<b>${unlinked(title)}</b>`,
    ...facts.map(([label, value]) => `${unlinked(label)}: ${asCode(value)}`),
    `<a href="${forTelegram(url)}">${OPEN}</a>`,
  ].join('\n')

/** The chat is named in the address, as `?chat_id=`. */
const telegram: Render = (message, address) =>
  JSON.stringify({
    chat_id: URL.parse(address)?.searchParams.get('chat_id') ?? '',
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
    text: fitting(message, telegramText, telegramLimit),
  })

// ---------------------------------------------------------------- ntfy

/** The body is the message; above 4,096 bytes it would come as a file. */
const ntfyLimit: Limit = { sizeOf: (text) => Buffer.byteLength(text), most: 4_000 }

/** Apps make links of URLs in it. */
const forNtfy = (text: string): string => text.replaceAll('://', ':\u200b//')

const ntfyText = ({ title, facts, url }: ChatMessage): string =>
  [forNtfy(title), ...facts.map(([label, value]) => `${forNtfy(label)}: ${forNtfy(indented(value))}`), url].join('\n')

const ntfy: Render = (message) => fitting(message, ntfyText, ntfyLimit)

const renders: Readonly<Record<ChatPayload, Render>> = { slack, discord, teams, telegram, ntfy }

/** @param address that is called. */
export const chatBody = (payload: ChatPayload, message: ChatMessage, address: string): string =>
  renders[payload](message, address)
