// What visitors read in Polish: impersonal, so that nobody's gender has to be known, and with counts after a
// colon, where no form of the noun depends on them.
import type { VisitorTexts } from './model.ts'

const field = (label: string): string => `Pole „${label}”`

export const pl: VisitorTexts = {
  faults: {
    required: (label) => `${field(label)} jest wymagane.`,
    email: (label) => `${field(label)} musi zawierać adres e-mail.`,
    url: (label) => `${field(label)} musi zawierać adres zaczynający się od http:// lub https://.`,
    numeric: (label) => `${field(label)} musi zawierać liczbę.`,
    integer: (label) => `${field(label)} musi zawierać liczbę całkowitą.`,
    min: (label, least) => `Najmniejsza wartość w polu „${label}” to ${least}.`,
    max: (label, most) => `Największa wartość w polu „${label}” to ${most}.`,
    min_length: (label, least) => `Minimalna liczba znaków w polu „${label}”: ${least}.`,
    max_length: (label, most) => `Maksymalna liczba znaków w polu „${label}”: ${most}.`,
    in: (label) => `W polu „${label}” należy wybrać jedną z dostępnych opcji.`,
    regex: (label) => `${field(label)} ma nieprawidłowy format.`,
    matches: (label, other) => `${field(label)} musi mieć taką samą wartość jak „${other}”.`,
    date: (label) => `${field(label)} musi zawierać datę, na przykład 2026-01-31.`,
    phone: (label) => `${field(label)} musi zawierać numer telefonu.`,
    accepted: (label) => `Należy zaakceptować „${label}”.`,
  },
  limits: {
    tooLong: (label, most) => `Maksymalna liczba znaków w polu „${label}”: ${most}.`,
    tooMany: (label, most) => `Maksymalna liczba wartości w polu „${label}”: ${most}.`,
    tooLongForPattern: (label) => `Tekst w polu „${label}” jest zbyt długi, aby go sprawdzić.`,
  },
  files: {
    again: (label) => `Proszę ponownie wybrać plik w polu „${label}”.`,
    tooMany: (label, most) => `„${label}”: najwyżej ${most} plików.`,
    tooLarge: (label, most) => `„${label}”: plik może mieć najwyżej ${most}.`,
    wrongType: (label, formats) => `„${label}”: tylko pliki w tych formatach: ${formats}.`,
  },
  form: {
    thanks: { title: 'Dziękujemy', text: 'Dziękujemy. Wiadomość została wysłana.' },
    check: {
      title: 'Prosimy sprawdzić odpowiedzi',
      text: 'Nic jeszcze nie zostało wysłane. Prosimy poprawić zaznaczone pola i ponownie wysłać formularz.',
    },
    again: {
      title: 'Prosimy wysłać ponownie',
      text: 'Wiadomość nie została jeszcze wysłana. Prosimy sprawdzić odpowiedzi i wysłać je ponownie.',
    },
    send: 'Wyślij',
    choose: 'Proszę wybrać',
    required: 'wymagane',
    unavailable: { title: 'Ten formularz jest niedostępny', text: 'W tej chwili nie przyjmuje wiadomości.' },
    tooLarge: { title: 'To za dużo', text: 'Wiadomość jest zbyt duża, aby ją wysłać. Prosimy wrócić i ją skrócić.' },
    tooOften: {
      title: 'Prosimy chwilę poczekać',
      text: 'Z tego połączenia wysłano zbyt wiele wiadomości. Prosimy odczekać minutę, wrócić i spróbować ponownie.',
    },
    script: {
      sent: 'Wysłano.',
      failed: 'Nie wysłano. Prosimy spróbować ponownie.',
      tooLong: 'Treść jest zbyt długa, aby ją wysłać.',
      next: 'Dalej',
      back: 'Wstecz',
    },
    notNow: {
      title: 'Wiadomość nie została wysłana',
      text: 'Wystąpił błąd po naszej stronie. Prosimy wrócić i za chwilę spróbować ponownie.',
    },
    noRoom: {
      title: 'Nie udało się zapisać plików',
      text: 'W tej chwili nie ma miejsca na pliki. Proszę wrócić i wysłać wiadomość bez nich.',
    },
    back: 'Wróć na stronę',
  },
  link: {
    expired: { title: 'Ten link wygasł', text: 'Strona, do której prowadził, nie jest już tutaj dostępna.' },
    missing: { title: 'Ten link donikąd nie prowadzi', text: 'Być może zawiera literówkę albo nie jest już używany.' },
    unavailable: {
      title: 'Chwilowo niedostępne',
      text: 'Tego linku nie można teraz otworzyć. Prosimy spróbować ponownie za kilka sekund.',
    },
    site: (host) => `Przejdź do ${host}`,
    destination: 'Dokąd prowadzi ten link',
    password: {
      title: 'Ten link wymaga hasła',
      text: 'Wpisz otrzymane hasło.',
      label: 'Hasło',
      button: 'Dalej',
      wrong: 'To hasło jest nieprawidłowe.',
    },
    tooOften: { title: 'Zbyt wiele prób', text: 'Odczekaj 15 minut i spróbuj ponownie.' },
  },
  mail: {
    entered: (what) =>
      `Ta wiadomość została wysłana, ponieważ ten adres e-mail podano w formularzu ${what}. Jeśli to pomyłka, prosimy ją zignorować.`,
    unsubscribe: {
      title: 'Rezygnacja z wiadomości',
      text: (what) => `Czy zrezygnować z otrzymywania wiadomości e-mail od ${what}?`,
      button: 'Rezygnuję',
    },
    unsubscribed: {
      title: 'Rezygnacja przyjęta',
      text: (what) => `Wiadomości e-mail od ${what} nie będą już wysyłane na ten adres.`,
    },
    confirm: {
      title: 'Potwierdzenie zapisu',
      text: (what) => `Czy zapisać ten adres na wiadomości e-mail od ${what}?`,
      button: 'Tak, zapisz mnie',
    },
    confirmed: {
      title: 'Zapis potwierdzony',
      text: (what) => `Wiadomości e-mail od ${what} będą wysyłane na ten adres. Zrezygnować można w każdej chwili.`,
    },
    why: (site) =>
      `Otrzymujesz tę wiadomość, ponieważ Twój adres podano na stronie ${site}. Jeśli to nie Ty, zignoruj ją: nic nie zostanie wysłane.`,
    expired: { title: 'Ten link wygasł', text: 'Nie jest już ważny albo brakuje jego części.' },
  },
}
