// What visitors read in Dutch: formal, as strangers are addressed.
import type { VisitorTexts } from './model.ts'

const characters = (count: string): string => (Number(count) === 1 ? `${count} teken` : `${count} tekens`)

export const nl: VisitorTexts = {
  faults: {
    required: (label) => `Het veld ‘${label}’ is verplicht.`,
    email: (label) => `‘${label}’ moet een e-mailadres zijn.`,
    url: (label) => `‘${label}’ moet een adres zijn dat begint met http:// of https://.`,
    numeric: (label) => `‘${label}’ moet een getal zijn.`,
    integer: (label) => `‘${label}’ moet een geheel getal zijn.`,
    min: (label, least) => `‘${label}’ moet minimaal ${least} zijn.`,
    max: (label, most) => `‘${label}’ mag maximaal ${most} zijn.`,
    min_length: (label, least) => `‘${label}’ moet minimaal ${characters(least)} bevatten.`,
    max_length: (label, most) => `‘${label}’ mag maximaal ${characters(most)} bevatten.`,
    in: (label) => `Kies bij ‘${label}’ een van de mogelijkheden.`,
    regex: (label) => `‘${label}’ heeft niet de juiste vorm.`,
    matches: (label, other) => `‘${label}’ moet gelijk zijn aan ‘${other}’.`,
    date: (label) => `‘${label}’ moet een datum zijn, zoals 2026-01-31.`,
    phone: (label) => `‘${label}’ moet een telefoonnummer zijn.`,
    accepted: (label) => `U moet akkoord gaan met ‘${label}’.`,
  },
  limits: {
    tooLong: (label, most) => `‘${label}’ mag maximaal ${characters(most)} bevatten.`,
    tooMany: (label, most) => `Bij ‘${label}’ zijn maximaal ${most} waarden mogelijk.`,
    tooLongForPattern: (label) => `‘${label}’ is te lang om te controleren.`,
  },
  files: {
    again: (label) => `Kies het bestand voor ‘${label}’ opnieuw.`,
    tooMany: (label, most) => `‘${label}’: hoogstens ${most} bestanden.`,
    tooLarge: (label, most) => `‘${label}’: een bestand mag hoogstens ${most} groot zijn.`,
    wrongType: (label, formats) => `‘${label}’: alleen bestanden in deze formaten: ${formats}.`,
  },
  form: {
    thanks: { title: 'Bedankt', text: 'Bedankt. Uw bericht is verzonden.' },
    check: {
      title: 'Controleer uw antwoorden',
      text: 'Er is nog niets verzonden. Verbeter de gemarkeerde velden en verstuur het formulier opnieuw.',
    },
    again: {
      title: 'Verstuur het formulier opnieuw',
      text: 'Uw bericht is nog niet verzonden. Controleer uw antwoorden en verstuur ze opnieuw.',
    },
    send: 'Versturen',
    choose: 'Maak een keuze',
    required: 'verplicht',
    unavailable: {
      title: 'Dit formulier is niet beschikbaar',
      text: 'Op dit moment kunnen er geen berichten mee worden verstuurd.',
    },
    tooLarge: { title: 'Dat is te veel', text: 'Uw bericht is te groot om te versturen. Ga terug en maak het korter.' },
    tooOften: {
      title: 'Een ogenblik geduld',
      text: 'Er zijn te veel berichten verstuurd vanaf uw verbinding. Wacht een minuut, ga dan terug en probeer het opnieuw.',
    },
    script: {
      sent: 'Verzonden.',
      failed: 'Niet verzonden. Probeer het opnieuw.',
      tooLong: 'Te lang om te verzenden.',
      next: 'Volgende',
      back: 'Terug',
    },
    notNow: {
      title: 'Uw bericht is niet verzonden',
      text: 'Er ging bij ons iets mis. Ga terug en probeer het zo meteen opnieuw.',
    },
    noRoom: {
      title: 'Uw bestanden konden niet worden opgeslagen',
      text: 'Er is op dit moment geen ruimte voor bestanden. Ga terug en verstuur uw bericht zonder bestanden.',
    },
    back: 'Terug naar de website',
  },
  link: {
    expired: {
      title: 'Deze link is verlopen',
      text: 'De pagina waar hij naartoe leidde, is hier niet meer beschikbaar.',
    },
    missing: {
      title: 'Deze link leidt nergens naartoe',
      text: 'Misschien is hij verkeerd getypt, of hij wordt niet meer gebruikt.',
    },
    unavailable: {
      title: 'Nu even niet',
      text: 'Deze link kan op dit moment niet worden geopend. Probeer het over een paar seconden opnieuw.',
    },
    site: (host) => `Naar ${host}`,
    destination: 'Waar deze link naartoe leidt',
    password: {
      title: 'Deze link vraagt om een wachtwoord',
      text: 'Vul het wachtwoord in dat u hebt gekregen.',
      label: 'Wachtwoord',
      button: 'Doorgaan',
      wrong: 'Dit wachtwoord klopt niet.',
    },
    tooOften: { title: 'Te veel pogingen', text: 'Wacht 15 minuten en probeer het dan opnieuw.' },
  },
  mail: {
    entered: (what) =>
      `U ontvangt deze e-mail omdat uw e-mailadres is ingevuld in een formulier van ${what}. Was u dat niet, dan kunt u hem negeren.`,
    unsubscribe: {
      title: 'Afmelden',
      text: (what) => `Wilt u geen e-mails meer ontvangen van ${what}?`,
      button: 'Afmelden',
    },
    unsubscribed: { title: 'U bent afgemeld', text: (what) => `U ontvangt geen e-mails meer van ${what}.` },
    confirm: {
      title: 'Bevestig uw aanmelding',
      text: (what) => `Wilt u e-mails ontvangen van ${what}?`,
      button: 'Ja, meld mij aan',
    },
    confirmed: {
      title: 'U bent aangemeld',
      text: (what) => `U ontvangt voortaan e-mails van ${what}. U kunt zich op elk moment afmelden.`,
    },
    why: (site) =>
      `U ontvangt deze e-mail omdat uw adres is ingevuld bij ${site}. Was u dat niet, negeer hem dan: u krijgt niets toegestuurd.`,
    expired: { title: 'Deze link is verlopen', text: 'Hij is niet meer geldig, of er ontbreekt een deel.' },
  },
}
