// Well-known sources: their category, their hosts, and their names in campaign tags. Adding one is adding a
// line. Some hundred small ones are in referrers.ts.
import { getDomain, getDomainWithoutSuffix, getPublicSuffix } from 'tldts'
import { referrers } from './referrers.ts'

export type SourceKind = 'search' | 'social' | 'video' | 'shopping' | 'ai' | 'email' | 'site'

export interface KnownSource {
  readonly name: string
  readonly kind: SourceKind
  /** The source's own web domain, for its icon. */
  readonly domain: string
}

/**
 * Name hosts aliases in utm_source. A host includes its subdomains; `brand.*` is the brand under com and
 * every country's suffix; a name with dots in reverse is an Android app. The first host is the source's own
 * domain.
 */
const tables: Readonly<Record<SourceKind, string>> = {
  ai: `
ChatGPT | chatgpt.com chat.openai.com openai.com com.openai.chatgpt | chatgpt openai
Claude | claude.ai anthropic.com com.anthropic.claude | claude anthropic
Perplexity | perplexity.ai ai.perplexity.app.android | perplexity
Gemini | gemini.google.com bard.google.com com.google.android.apps.bard | gemini bard
Google AI Studio | aistudio.google.com |
NotebookLM | notebooklm.google.com notebooklm.google | notebooklm
Microsoft Copilot | copilot.microsoft.com copilot.cloud.microsoft m365.cloud.microsoft edgeservices.bing.com com.microsoft.copilot | copilot
GitHub Copilot | copilot.github.com |
DeepSeek | chat.deepseek.com deepseek.com com.deepseek.chat | deepseek
Grok | grok.com x.ai ai.x.grok | grok
Mistral | chat.mistral.ai mistral.ai | mistral lechat
Meta AI | meta.ai | metaai meta-ai
You.com | you.com | youcom
Phind | phind.com | phind
Poe | poe.com com.poe.android | poe
Kimi | kimi.com kimi.moonshot.cn moonshot.cn | kimi
Qwen | chat.qwen.ai qwen.ai tongyi.aliyun.com | qwen
Doubao | doubao.com | doubao
Z.ai | z.ai chatglm.cn | zai
Manus | manus.im | manus
Genspark | genspark.ai | genspark
Felo | felo.ai | felo
iAsk | iask.ai | iask
Andi | andisearch.com | andi
Komo | komo.ai | komo
Pi | pi.ai | heypi
Character.AI | character.ai | characterai
Duck.ai | duck.ai | duckai
Lumo | lumo.proton.me |
Cohere | coral.cohere.com cohere.com | cohere
Consensus | consensus.app |
Elicit | elicit.com |`,
  search: `
Google | google.* com.google.android.googlequicksearchbox com.google.android.gms syndicatedsearch.goog googleadservices.com doubleclick.net | google googleads google-ads google_ads adwords googleadwords
Bing | bing.com | bing bingads bing_ads msn-ads microsoftads microsoft-ads microsoft
Yahoo | search.yahoo.com yahoo.* | yahoo
DuckDuckGo | duckduckgo.com com.duckduckgo.mobile.android | duckduckgo ddg
Ecosia | ecosia.org com.ecosia.android | ecosia
Brave Search | search.brave.com | brave
Startpage | startpage.com | startpage
Qwant | qwant.com com.qwant.liberty | qwant
Kagi | kagi.com | kagi
Mojeek | mojeek.com | mojeek
Swisscows | swisscows.com swisscows.ch | swisscows
MetaGer | metager.org metager.de | metager
SearXNG | searx.be searxng.site priv.au | searx searxng
Yandex | yandex.* ya.ru yandex.com.tr ru.yandex.searchplugin | yandex
Mail.ru Search | go.mail.ru |
Baidu | baidu.com | baidu
Sogou | sogou.com | sogou
360 Search | so.com | 360search
Shenma | sm.cn |
Naver | naver.com com.nhn.android.search | naver
Daum | daum.net | daum
Seznam | seznam.cz | seznam
AOL | search.aol.com aol.com | aol
Ask | ask.com | ask
Lycos | lycos.com | lycos
Dogpile | dogpile.com | dogpile
Presearch | presearch.com presearch.io | presearch
Marginalia | search.marginalia.nu marginalia-search.com |
Stract | stract.com |
Coc Coc | coccoc.com | coccoc
Petal Search | petalsearch.com | petal
Ekoru | ekoru.org |
Gibiru | gibiru.com |
T-Online | suche.t-online.de |
GMX Search | suche.gmx.net |
WEB.DE Search | suche.web.de |
Virgilio | virgilio.it |
Search.ch | search.ch |`,
  social: `
Facebook | facebook.com fb.com fb.me m.me facebook.net com.facebook.katana com.facebook.lite com.facebook.orca | facebook fb meta facebookads facebook-ads facebook_ads an
Messenger | messenger.com | messenger msg
Instagram | instagram.com ig.me com.instagram.android | instagram ig instagram_stories
Threads | threads.net threads.com com.instagram.barcelona | threads
WhatsApp | whatsapp.com wa.me com.whatsapp com.whatsapp.w4b | whatsapp wa
X | x.com twitter.com t.co com.twitter.android | x twitter tweet
LinkedIn | linkedin.com lnkd.in com.linkedin.android | linkedin linked-in li
Reddit | reddit.com redd.it com.reddit.frontpage | reddit
Pinterest | pinterest.* pin.it com.pinterest | pinterest
TikTok | tiktok.com com.zhiliaoapp.musically com.ss.android.ugc.trill | tiktok tik-tok tiktokads
Snapchat | snapchat.com com.snapchat.android | snapchat snap
Bluesky | bsky.app go.bsky.app bsky.social xyz.blueskyweb.app | bluesky bsky
Mastodon | mastodon.social mastodon.online mastodon.world mstdn.social mstdn.jp fosstodon.org hachyderm.io infosec.exchange mas.to techhub.social joinmastodon.org org.joinmastodon.android | mastodon
Lemmy | lemmy.world lemmy.ml | lemmy
Telegram | telegram.org t.me web.telegram.org org.telegram.messenger | telegram tg
Discord | discord.com discordapp.com discord.gg com.discord | discord
Slack | slack.com com.slack com.Slack | slack
Microsoft Teams | teams.microsoft.com teams.live.com com.microsoft.teams | teams msteams
Signal | signal.org org.thoughtcrime.securesms | signal
Hacker News | news.ycombinator.com hn.algolia.com hckrnews.com | hackernews hn hacker-news
Lobsters | lobste.rs | lobsters
Product Hunt | producthunt.com | producthunt product-hunt
Indie Hackers | indiehackers.com | indiehackers
Quora | quora.com com.quora.android | quora
Stack Overflow | stackoverflow.com | stackoverflow
Stack Exchange | stackexchange.com superuser.com serverfault.com askubuntu.com | stackexchange
Tumblr | tumblr.com com.tumblr | tumblr
Medium | medium.com | medium
Substack | substack.com | substack
VK | vk.com vk.ru away.vk.com com.vkontakte.android | vk vkontakte
Odnoklassniki | ok.ru | ok odnoklassniki
Weibo | weibo.com weibo.cn t.cn com.sina.weibo | weibo
WeChat | weixin.qq.com wechat.com mp.weixin.qq.com com.tencent.mm | wechat weixin
QQ | qzone.qq.com com.tencent.mobileqq | qq
Xiaohongshu | xiaohongshu.com xhslink.com com.xingin.xhs | xiaohongshu rednote
Zhihu | zhihu.com | zhihu
Douban | douban.com | douban
LINE | line.me jp.naver.line.android | line
KakaoTalk | kakao.com com.kakao.talk | kakao kakaotalk
Viber | viber.com com.viber.voip | viber
Nextdoor | nextdoor.com | nextdoor
XING | xing.com | xing
Flipboard | flipboard.com flipboard.app flipboard.android | flipboard
Pocket | getpocket.com | pocket
Instapaper | instapaper.com | instapaper
Hatena | hatena.ne.jp b.hatena.ne.jp | hatena
DeviantArt | deviantart.com | deviantart
Behance | behance.net | behance
Dribbble | dribbble.com | dribbble
Goodreads | goodreads.com | goodreads
Tripadvisor | tripadvisor.* | tripadvisor
Yelp | yelp.* | yelp
Meetup | meetup.com | meetup
Gab | gab.com | gab
Truth Social | truthsocial.com | truthsocial
Gettr | gettr.com | gettr
Plurk | plurk.com | plurk
Slashdot | slashdot.org | slashdot
Digg | digg.com | digg
Linktree | linktr.ee | linktree
Taplink | taplink.cc | taplink
DEV | dev.to | devto
Hashnode | hashnode.com | hashnode
Wykop | wykop.pl | wykop
Mixi | mixi.jp | mixi`,
  video: `
YouTube | youtube.com youtu.be youtube-nocookie.com com.google.android.youtube | youtube yt
Vimeo | vimeo.com | vimeo
Twitch | twitch.tv tv.twitch.android.app | twitch
Dailymotion | dailymotion.com dai.ly | dailymotion
Rumble | rumble.com | rumble
Odysee | odysee.com | odysee
Bilibili | bilibili.com b23.tv tv.danmaku.bili | bilibili
Niconico | nicovideo.jp | niconico
Youku | youku.com | youku
Douyin | douyin.com | douyin
Kick | kick.com | kick
Wistia | wistia.com | wistia
Loom | loom.com | loom
TED | ted.com | ted
Netflix | netflix.com | netflix
Disney+ | disneyplus.com | disneyplus
Hulu | hulu.com | hulu
PeerTube | joinpeertube.org | peertube
BitChute | bitchute.com | bitchute`,
  shopping: `
Google Shopping | shopping.google.com | google-shopping googleshopping google_shopping
Amazon | amazon.* amzn.to com.amazon.mshop.android.shopping | amazon
eBay | ebay.* com.ebay.mobile | ebay
Etsy | etsy.com com.etsy.android | etsy
AliExpress | aliexpress.* | aliexpress
Alibaba | alibaba.com | alibaba
Taobao | taobao.com tmall.com | taobao tmall
JD.com | jd.com | jd
Temu | temu.com | temu
Shein | shein.com | shein
Walmart | walmart.com | walmart
Target | target.com | target
Best Buy | bestbuy.com | bestbuy
Shop | shop.app | shop shopapp
Shopify | shopify.com myshopify.com | shopify
Rakuten | rakuten.* | rakuten
Mercado Libre | mercadolibre.* mercadolivre.com.br | mercadolibre mercadolivre
Allegro | allegro.pl | allegro
Zalando | zalando.* | zalando
OTTO | otto.de | otto
idealo | idealo.* | idealo
PriceRunner | pricerunner.* | pricerunner
PriceSpy | pricespy.co.uk prisjakt.nu | pricespy
bol | bol.com | bol
Cdiscount | cdiscount.com | cdiscount
Flipkart | flipkart.com | flipkart
Shopee | shopee.* | shopee
Lazada | lazada.* | lazada
Ozon | ozon.ru | ozon
Wildberries | wildberries.ru | wildberries
Coupang | coupang.com | coupang
Wish | wish.com | wish
IGShopping | igshopping.com | igshopping
Slickdeals | slickdeals.net | slickdeals
mydealz | mydealz.de | mydealz
Hotukdeals | hotukdeals.com | hotukdeals
Dealabs | dealabs.com | dealabs
Kleinanzeigen | kleinanzeigen.de | kleinanzeigen
Leboncoin | leboncoin.fr | leboncoin
Avito | avito.ru | avito`,
  email: `
Gmail | mail.google.com com.google.android.gm inbox.google.com | gmail
Outlook | outlook.com outlook.live.com outlook.office.com outlook.office365.com mail.live.com hotmail.com com.microsoft.office.outlook | outlook hotmail
Yahoo Mail | mail.yahoo.com com.yahoo.mobile.client.android.mail | yahoomail
Proton Mail | mail.proton.me proton.me mail.protonmail.com ch.protonmail.android | protonmail proton
iCloud Mail | icloud.com | icloud
Fastmail | fastmail.com app.fastmail.com | fastmail
HEY | app.hey.com hey.com |
Zoho Mail | mail.zoho.com mail.zoho.eu | zohomail
Tuta | tuta.com mail.tutanota.com | tutanota
GMX | gmx.net gmx.com navigator.gmx.net | gmx
WEB.DE | web.de navigator.web.de | webde
AOL Mail | mail.aol.com | aolmail
Superhuman | mail.superhuman.com |
Mailchimp | mailchimp.com mailchi.mp list-manage.com | mailchimp
Klaviyo | klaviyo.com | klaviyo
Brevo | brevo.com sendinblue.com | brevo sendinblue
HubSpot | hubspotlinks.com | hs_email
SendGrid | sendgrid.net | sendgrid
Buttondown | buttondown.com buttondown.email | buttondown
beehiiv | beehiiv.com | beehiiv
Kit | kit.com convertkit.com | convertkit
Yandex Mail | mail.yandex.ru mail.yandex.com | yandexmail
Mail.ru | e.mail.ru touch.mail.ru | mailru
QQ Mail | mail.qq.com | qqmail
NetEase Mail | mail.163.com mail.126.com | 163`,
  site: `
GitHub | github.com gist.github.com com.github.android | github
GitLab | gitlab.com | gitlab
Bitbucket | bitbucket.org | bitbucket
npm | npmjs.com | npm
PyPI | pypi.org | pypi
Wikipedia | wikipedia.org org.wikipedia | wikipedia
Google News | news.google.com com.google.android.apps.magazines | googlenews
Google Discover | discover.google.com | discover googlediscover
Google Docs | docs.google.com | googledocs
Google Drive | drive.google.com |
Google Maps | maps.google.com com.google.android.apps.maps | gmb googlemaps google-my-business gbp
Google Translate | translate.google.com translate.goog |
Google Classroom | classroom.google.com |
Google Groups | groups.google.com |
Google Support | support.google.com |
Google Play | play.google.com com.android.vending | googleplay
App Store | apps.apple.com itunes.apple.com | appstore
Apple News | apple.news | applenews
Apple | apple.com |
Yahoo News | news.yahoo.com |
Yahoo Finance | finance.yahoo.com |
MSN | msn.com | msn
Feedly | feedly.com | feedly
Inoreader | inoreader.com | inoreader
NewsBlur | newsblur.com | newsblur
SmartNews | smartnews.com | smartnews
Ground News | ground.news |
Taboola | taboola.com | taboola
Outbrain | outbrain.com | outbrain
Techmeme | techmeme.com | techmeme
Notion | notion.so notion.com notion.site | notion
Trello | trello.com |
Atlassian | atlassian.net atlassian.com |
Figma | figma.com |
Canva | canva.com |
Hugging Face | huggingface.co | huggingface
AlternativeTo | alternativeto.net |
G2 | g2.com |
Capterra | capterra.com |
Trustpilot | trustpilot.com | trustpilot
SourceForge | sourceforge.net |
WordPress | wordpress.com wordpress.org |
Blogger | blogger.com |
Wix | wix.com |
Eventbrite | eventbrite.* |
PayPal | paypal.com |
Stripe | stripe.com |`,
}

interface Index {
  readonly byHost: ReadonlyMap<string, KnownSource>
  readonly byBrand: ReadonlyMap<string, KnownSource>
  readonly byAlias: ReadonlyMap<string, KnownSource>
  readonly byName: ReadonlyMap<string, KnownSource>
}

const index = readTables()

function readTables(): Index {
  const byHost = new Map<string, KnownSource>()
  const byBrand = new Map<string, KnownSource>()
  const byAlias = new Map<string, KnownSource>()
  const byName = new Map<string, KnownSource>()
  for (const [kind, table] of Object.entries(tables) as [SourceKind, string][]) {
    for (const line of table.trim().split('\n')) {
      const [name = '', hosts = '', aliases = ''] = line.split('|').map((column) => column.trim())
      const first = hosts.split(' ')[0]!
      const source = { name, kind, domain: first.replace('.*', '.com') }
      byName.set(name, source)
      byAlias.set(name.toLowerCase(), source)
      for (const host of hosts.split(' ')) {
        if (host.endsWith('.*')) byBrand.set(host.slice(0, -2), source)
        else byHost.set(host.toLowerCase(), source)
      }
      for (const alias of aliases.split(' ').filter(Boolean)) byAlias.set(alias, source)
    }
  }
  return { byHost, byBrand, byAlias, byName }
}

/**
 * com, and what countries use: `de`, `co.uk`, `com.br`. Other suffixes under a brand's name need not be the
 * brand's.
 */
const brandSuffix = /^(?:com|[a-z]{2}|com?\.[a-z]{2})$/

/** A web host, in lower case. Subdomains count as their parent, unless the table lists them. */
export function findSourceByHost(host: string): KnownSource | undefined {
  const registrable = getDomain(host) ?? host
  for (let name = host; name.length >= registrable.length; name = name.slice(name.indexOf('.') + 1)) {
    const found = index.byHost.get(name)
    if (found) return found
    if (name === registrable || !name.includes('.')) break
  }
  return brandOf(host) ?? tail().get(host) ?? tail().get(host.replace(/^www\./, ''))
}

/** The package id of an Android app. */
export function findSourceByApp(id: string): KnownSource | undefined {
  return index.byHost.get(id.toLowerCase())
}

/** The source that a link's utm_source names: by name, alias or host. */
export function findSourceByTag(tag: string): KnownSource | undefined {
  const alias = tag.trim().toLowerCase()
  return index.byAlias.get(alias) ?? (/^[a-z0-9.-]+\.[a-z]{2,}$/.test(alias) ? findSourceByHost(alias) : undefined)
}

/**
 * The web domain of a source as it is stored: of a known name, or the source itself when it is a host; null
 * when there is none.
 */
export function domainOfSource(name: string): string | null {
  const known = index.byName.get(name)?.domain ?? tailDomains().get(name)
  if (known !== undefined) return known
  return name.length <= 253 && /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(name) && getDomain(name) !== null ? name : null
}

function brandOf(host: string): KnownSource | undefined {
  const source = index.byBrand.get(getDomainWithoutSuffix(host) ?? '')
  return source && brandSuffix.test(getPublicSuffix(host) ?? '') ? source : undefined
}

let tailByHost: ReadonlyMap<string, KnownSource> | undefined
let domainsByName: ReadonlyMap<string, string> | undefined

/** Parsed on first use. */
function tail(): ReadonlyMap<string, KnownSource> {
  tailByHost ??= new Map(
    (Object.entries(referrers) as [SourceKind, string][]).flatMap(([kind, table]) =>
      table
        .trim()
        .split('\n')
        .flatMap((line) => readReferrer(kind, line)),
    ),
  )
  return tailByHost
}

function readReferrer(kind: SourceKind, line: string): [string, KnownSource][] {
  const [name = '', hosts = ''] = line.split(' | ')
  return hosts.split(' ').map((host) => [host, { name, kind, domain: host }])
}

function tailDomains(): ReadonlyMap<string, string> {
  domainsByName ??= new Map([...tail()].map(([host, { name }]) => [name, host] as const).toReversed())
  return domainsByName
}
