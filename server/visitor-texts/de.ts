// What visitors read in German: formal, as strangers are addressed.
import type { VisitorTexts } from './model.ts'

export const de: VisitorTexts = {
  faults: {
    required: (label) => `Bitte füllen Sie „${label}“ aus.`,
    email: (label) => `„${label}“ muss eine E-Mail-Adresse sein.`,
    url: (label) => `„${label}“ muss eine Adresse sein, die mit http:// oder https:// beginnt.`,
    numeric: (label) => `„${label}“ muss eine Zahl sein.`,
    integer: (label) => `„${label}“ muss eine ganze Zahl sein.`,
    min: (label, least) => `„${label}“ muss mindestens ${least} sein.`,
    max: (label, most) => `„${label}“ darf höchstens ${most} sein.`,
    min_length: (label, least) => `„${label}“ muss mindestens ${least} Zeichen lang sein.`,
    max_length: (label, most) => `„${label}“ darf höchstens ${most} Zeichen lang sein.`,
    in: (label) => `Bitte wählen Sie bei „${label}“ eine der Möglichkeiten aus.`,
    regex: (label) => `„${label}“ hat nicht das richtige Format.`,
    matches: (label, other) => `„${label}“ muss mit „${other}“ übereinstimmen.`,
    date: (label) => `„${label}“ muss ein Datum wie 2026-01-31 sein.`,
    phone: (label) => `„${label}“ muss eine Telefonnummer sein.`,
    accepted: (label) => `Bitte stimmen Sie „${label}“ zu.`,
  },
  limits: {
    tooLong: (label, most) => `„${label}“ darf höchstens ${most} Zeichen lang sein.`,
    tooMany: (label, most) => `Bei „${label}“ sind höchstens ${most} Angaben möglich.`,
    tooLongForPattern: (label) => `„${label}“ ist zu lang, um geprüft zu werden.`,
  },
  files: {
    again: (label) => `Bitte wählen Sie die Datei für „${label}“ noch einmal aus.`,
    tooMany: (label, most) => `„${label}“: höchstens ${most} Dateien.`,
    tooLarge: (label, most) => `„${label}“: Eine Datei darf höchstens ${most} groß sein.`,
    wrongType: (label, formats) => `„${label}“: nur Dateien in diesen Formaten: ${formats}.`,
  },
  form: {
    thanks: { title: 'Vielen Dank', text: 'Vielen Dank. Ihre Nachricht wurde gesendet.' },
    check: {
      title: 'Bitte prüfen Sie Ihre Angaben',
      text: 'Es wurde noch nichts gesendet. Korrigieren Sie die markierten Felder und senden Sie das Formular erneut ab.',
    },
    again: {
      title: 'Bitte noch einmal absenden',
      text: 'Ihre Nachricht wurde noch nicht gesendet. Prüfen Sie Ihre Angaben und senden Sie das Formular erneut ab.',
    },
    send: 'Absenden',
    choose: 'Bitte wählen',
    required: 'Pflichtfeld',
    unavailable: { title: 'Dieses Formular ist nicht verfügbar', text: 'Es nimmt zurzeit keine Nachrichten entgegen.' },
    tooLarge: { title: 'Das ist zu viel', text: 'Ihre Nachricht ist zu groß. Gehen Sie zurück und kürzen Sie sie.' },
    tooOften: {
      title: 'Bitte warten Sie einen Moment',
      text: 'Von Ihrem Anschluss kamen zu viele Nachrichten. Warten Sie eine Minute, gehen Sie dann zurück und versuchen Sie es erneut.',
    },
    script: {
      sent: 'Gesendet.',
      failed: 'Nicht gesendet. Bitte versuchen Sie es noch einmal.',
      tooLong: 'Zu lang, um gesendet zu werden.',
      next: 'Weiter',
      back: 'Zurück',
    },
    notNow: {
      title: 'Ihre Nachricht wurde nicht gesendet',
      text: 'Bei uns ist etwas schiefgegangen. Gehen Sie zurück und versuchen Sie es gleich noch einmal.',
    },
    noRoom: {
      title: 'Ihre Dateien konnten nicht gespeichert werden',
      text: 'Im Moment ist kein Platz für Dateien. Gehen Sie zurück und senden Sie Ihre Nachricht ohne Dateien.',
    },
    back: 'Zurück zur Website',
  },
  link: {
    expired: {
      title: 'Dieser Link ist abgelaufen',
      text: 'Die Seite, zu der er führte, ist hier nicht mehr verfügbar.',
    },
    missing: {
      title: 'Dieser Link führt ins Leere',
      text: 'Vielleicht ist er falsch geschrieben, oder er wird nicht mehr verwendet.',
    },
    unavailable: {
      title: 'Gerade nicht erreichbar',
      text: 'Dieser Link kann im Moment nicht aufgerufen werden. Bitte versuchen Sie es in ein paar Sekunden erneut.',
    },
    site: (host) => `Weiter zu ${host}`,
    destination: 'Wohin dieser Link führt',
    password: {
      title: 'Dieser Link braucht ein Passwort',
      text: 'Geben Sie das Passwort ein, das Sie erhalten haben.',
      label: 'Passwort',
      button: 'Weiter',
      wrong: 'Dieses Passwort ist nicht richtig.',
    },
    tooOften: { title: 'Zu viele Versuche', text: 'Warten Sie 15 Minuten und versuchen Sie es dann erneut.' },
  },
  mail: {
    entered: (what) =>
      `Sie erhalten diese E-Mail, weil Ihre E-Mail-Adresse in einem Formular von ${what} angegeben wurde. Wenn Sie das nicht waren, können Sie sie ignorieren.`,
    unsubscribe: {
      title: 'Abmelden',
      text: (what) => `Möchten Sie keine E-Mails mehr von ${what} erhalten?`,
      button: 'Abmelden',
    },
    unsubscribed: { title: 'Sie sind abgemeldet', text: (what) => `Sie erhalten keine E-Mails mehr von ${what}.` },
    confirm: {
      title: 'Anmeldung bestätigen',
      text: (what) => `Möchten Sie E-Mails von ${what} erhalten?`,
      button: 'Ja, anmelden',
    },
    confirmed: {
      title: 'Sie sind angemeldet',
      text: (what) => `Sie erhalten künftig E-Mails von ${what}. Sie können sich jederzeit abmelden.`,
    },
    why: (site) =>
      `Sie erhalten diese E-Mail, weil Ihre Adresse bei ${site} eingegeben wurde. Waren Sie das nicht, ignorieren Sie sie: Es wird Ihnen nichts zugesandt.`,
    expired: { title: 'Dieser Link ist abgelaufen', text: 'Er ist nicht mehr gültig, oder ein Teil davon fehlt.' },
  },
}
