// What visitors read in Italian, in the impersonal or informal words that Italian interfaces use.
import type { VisitorTexts } from './model.ts'

const field = (label: string): string => `Il campo «${label}»`
const characters = (count: string): string => (Number(count) === 1 ? `${count} carattere` : `${count} caratteri`)

export const it: VisitorTexts = {
  faults: {
    required: (label) => `${field(label)} è obbligatorio.`,
    email: (label) => `${field(label)} deve contenere un indirizzo email.`,
    url: (label) => `${field(label)} deve contenere un indirizzo che inizia con http:// o https://.`,
    numeric: (label) => `${field(label)} deve contenere un numero.`,
    integer: (label) => `${field(label)} deve contenere un numero intero.`,
    min: (label, least) => `Il valore minimo per «${label}» è ${least}.`,
    max: (label, most) => `Il valore massimo per «${label}» è ${most}.`,
    min_length: (label, least) => `${field(label)} deve contenere almeno ${characters(least)}.`,
    max_length: (label, most) => `${field(label)} può contenere al massimo ${characters(most)}.`,
    in: (label) => `${field(label)} deve contenere una delle opzioni proposte.`,
    regex: (label) => `${field(label)} non ha il formato corretto.`,
    matches: (label, other) => `${field(label)} deve corrispondere a «${other}».`,
    date: (label) => `${field(label)} deve contenere una data come 2026-01-31.`,
    phone: (label) => `${field(label)} deve contenere un numero di telefono.`,
    accepted: (label) => `È necessario accettare «${label}».`,
  },
  limits: {
    tooLong: (label, most) => `${field(label)} può contenere al massimo ${characters(most)}.`,
    tooMany: (label, most) => `${field(label)} accetta al massimo ${most} valori.`,
    tooLongForPattern: (label) => `${field(label)} è troppo lungo per essere verificato.`,
  },
  files: {
    again: (label) => `Scelga di nuovo il file per «${label}».`,
    tooMany: (label, most) => `«${label}»: al massimo ${most} file.`,
    tooLarge: (label, most) => `«${label}»: un file può avere al massimo ${most}.`,
    wrongType: (label, formats) => `«${label}»: solo file in questi formati: ${formats}.`,
  },
  form: {
    thanks: { title: 'Grazie', text: 'Grazie. Il messaggio è stato inviato.' },
    check: {
      title: 'Controlla le risposte',
      text: 'Non è ancora stato inviato nulla. Correggi i campi segnalati e invia di nuovo il modulo.',
    },
    again: {
      title: 'Invia di nuovo il modulo',
      text: 'Il messaggio non è ancora stato inviato. Controlla le risposte e inviale di nuovo.',
    },
    send: 'Invia',
    choose: 'Scegli un’opzione',
    required: 'obbligatorio',
    unavailable: { title: 'Questo modulo non è disponibile', text: 'Al momento non accetta messaggi.' },
    tooLarge: { title: 'Il messaggio è troppo grande', text: 'Non può essere inviato. Torna indietro e accorcialo.' },
    tooOften: {
      title: 'Attendi un momento',
      text: 'Dalla tua connessione sono stati inviati troppi messaggi. Attendi un minuto, torna indietro e riprova.',
    },
    script: {
      sent: 'Inviato.',
      failed: 'Non è stato inviato. Riprova.',
      tooLong: 'È troppo lungo per essere inviato.',
      next: 'Avanti',
      back: 'Indietro',
    },
    notNow: {
      title: 'Il messaggio non è stato inviato',
      text: 'Si è verificato un errore da parte nostra. Torna indietro e riprova tra poco.',
    },
    noRoom: {
      title: 'I suoi file non sono stati salvati',
      text: 'Al momento non c’è spazio per i file. Torni indietro e invii il messaggio senza file.',
    },
    back: 'Torna al sito',
  },
  link: {
    expired: { title: 'Questo link è scaduto', text: 'La pagina a cui portava non è più disponibile qui.' },
    missing: {
      title: 'Questo link non porta da nessuna parte',
      text: 'Forse è stato scritto male, oppure non è più in uso.',
    },
    unavailable: {
      title: 'Non disponibile al momento',
      text: 'Ora non è possibile aprire questo link. Riprova tra qualche secondo.',
    },
    site: (host) => `Vai a ${host}`,
    destination: 'Dove porta questo link',
    password: {
      title: 'Questo link richiede una password',
      text: 'Inserisci la password che hai ricevuto.',
      label: 'Password del link',
      button: 'Continua',
      wrong: 'La password non è corretta.',
    },
    tooOften: { title: 'Troppi tentativi', text: 'Attendi 15 minuti, poi riprova.' },
  },
  mail: {
    entered: (what) =>
      `Ricevi questa email perché il tuo indirizzo email è stato inserito in un modulo di ${what}. Se non sei stato tu, ignorala.`,
    unsubscribe: {
      title: 'Annulla l’iscrizione',
      text: (what) => `Vuoi smettere di ricevere email da ${what}?`,
      button: 'Annulla l’iscrizione',
    },
    unsubscribed: { title: 'Iscrizione annullata', text: (what) => `Non riceverai più email da ${what}.` },
    confirm: {
      title: 'Conferma l’iscrizione',
      text: (what) => `Vuoi ricevere email da ${what}?`,
      button: 'Sì, iscrivimi',
    },
    confirmed: {
      title: 'Iscrizione confermata',
      text: (what) => `Riceverai email da ${what}. Puoi annullare l’iscrizione in qualsiasi momento.`,
    },
    why: (site) =>
      `Riceve questa e-mail perché il suo indirizzo è stato inserito su ${site}. Se non è stato lei, la ignori: non le verrà inviato nulla.`,
    expired: { title: 'Questo link è scaduto', text: 'Non è più valido oppure è incompleto.' },
  },
}
