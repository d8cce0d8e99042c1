// In which form an endpoint gets what happened: as data, or as a message that a team chat shows.

export const chatPayloads = ['slack', 'discord', 'teams', 'telegram', 'ntfy'] as const
export type ChatPayload = (typeof chatPayloads)[number]

export const payloads = ['envelope', 'legacy_form', ...chatPayloads] as const
export type Payload = (typeof payloads)[number]

export const isChat = (payload: Payload): payload is ChatPayload => chatPayloads.some((chat) => chat === payload)
