// The one door to what the dashboard says. A page's texts are loaded with the page, in the language of its
// reader, and before its code: so a module may read them wherever it likes. `import { common, links as text }
// from '../../texts/index.ts'`.
import { parts, type Part, type Texts } from './language.ts'

export { chooseLanguage, language, languageNames, locale } from './language.ts'

export let account: Texts['account']
export let automations: Texts['automations']
export let backups: Texts['backups']
export let bots: Texts['bots']
export let bulk: Texts['bulk']
export let checklist: Texts['checklist']
export let common: Texts['common']
export let contacts: Texts['contacts']
export let content: Texts['content']
export let costs: Texts['costs']
export let data: Texts['data']
export let dates: Texts['dates']
export let domains: Texts['domains']
export let entry: Texts['entry']
export let forms: Texts['forms']
export let goals: Texts['goals']
export let history: Texts['history']
export let invalid: Texts['invalid']
export let left: Texts['left']
export let link: Texts['link']
export let links: Texts['links']
export let live: Texts['live']
export let mail: Texts['mail']
export let overview: Texts['overview']
export let palette: Texts['palette']
export let platforms: Texts['platforms']
export let segments: Texts['segments']
export let reports: Texts['reports']
export let sessions: Texts['sessions']
export let settings: Texts['settings']
export let shell: Texts['shell']
export let speed: Texts['speed']
export let sites: Texts['sites']
export let start: Texts['start']
export let team: Texts['team']
export let users: Texts['users']

const loads: Readonly<Record<Part, () => Promise<unknown>>> = {
  account: async () => ({ text: account } = await parts.account()),
  automations: async () => ({ text: automations } = await parts.automations()),
  backups: async () => ({ text: backups } = await parts.backups()),
  bots: async () => ({ text: bots } = await parts.bots()),
  bulk: async () => ({ text: bulk } = await parts.bulk()),
  checklist: async () => ({ text: checklist } = await parts.checklist()),
  common: async () => ({ text: common } = await parts.common()),
  contacts: async () => ({ text: contacts } = await parts.contacts()),
  content: async () => ({ text: content } = await parts.content()),
  costs: async () => ({ text: costs } = await parts.costs()),
  data: async () => ({ text: data } = await parts.data()),
  dates: async () => ({ text: dates } = await parts.dates()),
  domains: async () => ({ text: domains } = await parts.domains()),
  entry: async () => ({ text: entry } = await parts.entry()),
  forms: async () => ({ text: forms } = await parts.forms()),
  goals: async () => ({ text: goals } = await parts.goals()),
  history: async () => ({ text: history } = await parts.history()),
  invalid: async () => ({ text: invalid } = await parts.invalid()),
  left: async () => ({ text: left } = await parts.left()),
  link: async () => ({ text: link } = await parts.link()),
  links: async () => ({ text: links } = await parts.links()),
  live: async () => ({ text: live } = await parts.live()),
  mail: async () => ({ text: mail } = await parts.mail()),
  overview: async () => ({ text: overview } = await parts.overview()),
  palette: async () => ({ text: palette } = await parts.palette()),
  platforms: async () => ({ text: platforms } = await parts.platforms()),
  segments: async () => ({ text: segments } = await parts.segments()),
  reports: async () => ({ text: reports } = await parts.reports()),
  sessions: async () => ({ text: sessions } = await parts.sessions()),
  settings: async () => ({ text: settings } = await parts.settings()),
  shell: async () => ({ text: shell } = await parts.shell()),
  speed: async () => ({ text: speed } = await parts.speed()),
  sites: async () => ({ text: sites } = await parts.sites()),
  start: async () => ({ text: start } = await parts.start()),
  team: async () => ({ text: team } = await parts.team()),
  users: async () => ({ text: users } = await parts.users()),
}

/** What the frame around every page says. */
const everywhere: readonly Part[] = ['common', 'shell']

export const loadTexts = async (wanted: readonly Part[]): Promise<void> => {
  await Promise.all(wanted.map((part) => loads[part]()))
}

/**
 * Code that is loaded after the texts which it reads: `withTexts(['links'], () =>
 * import('./pages/links/page.tsx'))`.
 */
export const withTexts =
  <Code>(wanted: readonly Part[], load: () => Promise<Code>) =>
  async (): Promise<Code> => {
    await loadTexts([...everywhere, ...wanted])
    return load()
  }
