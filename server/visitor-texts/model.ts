// What visitors may read, as one shape that every language has: a text that is missing in one of them does
// not compile. The texts are plain; whoever puts them into HTML escapes them.

/** @param parameter as a rule has it in its brackets; for `matches` the label of the other field. */
export type FaultText = (label: string, parameter: string) => string

/** What an answer that breaks a rule is told. It names the field and never the answer. */
export interface FaultTexts {
  readonly required: FaultText
  readonly email: FaultText
  readonly url: FaultText
  readonly numeric: FaultText
  readonly integer: FaultText
  readonly min: FaultText
  readonly max: FaultText
  readonly min_length: FaultText
  readonly max_length: FaultText
  readonly in: FaultText
  readonly regex: FaultText
  readonly matches: FaultText
  readonly date: FaultText
  readonly phone: FaultText
  readonly accepted: FaultText
}

/** Said whatever the rules of a field are. */
export interface LimitTexts {
  readonly tooLong: FaultText
  readonly tooMany: FaultText
  readonly tooLongForPattern: FaultText
}

/** Said of files that are not taken. */
export interface FileFaultTexts {
  readonly again: FaultText
  readonly tooMany: FaultText
  /** @param parameter a size with its unit. */
  readonly tooLarge: FaultText
  /** @param parameter names of formats. */
  readonly wrongType: FaultText
}

/** A page with one message. */
export interface Notice {
  readonly title: string
  readonly text: string
}

export interface FormTexts {
  readonly thanks: Notice
  /** Over a form that came back with messages at its fields. */
  readonly check: Notice
  /** Over a form that has to be sent once more, though nothing in it is wrong. */
  readonly again: Notice
  readonly send: string
  /** The first entry of a list that asks for a choice. */
  readonly choose: string
  /** Beside the label of a field that needs an answer. */
  readonly required: string
  readonly unavailable: Notice
  readonly tooLarge: Notice
  readonly tooOften: Notice
  readonly notNow: Notice
  /** For files alone. */
  readonly noRoom: Notice
  /** At the end of a form that the browser library sends. */
  readonly script: {
    readonly sent: string
    readonly failed: string
    readonly tooLong: string
    /** On the buttons of forms with steps. */
    readonly next: string
    readonly back: string
  }
  /** Leads back to the page with the form. */
  readonly back: string
}

export interface LinkTexts {
  readonly missing: Notice
  /** The owner said until when it leads anywhere. */
  readonly expired: Notice
  readonly unavailable: Notice
  /** Leads on from a page where nothing else does. */
  readonly site: (host: string) => string
  /** Over the address that a link leads to. */
  readonly destination: string
  readonly password: {
    readonly title: string
    readonly text: string
    readonly label: string
    readonly button: string
    readonly wrong: string
  }
  /** After too many wrong passwords. */
  readonly tooOften: Notice
}

export interface MailTexts {
  /** Asks before anything happens: programs that check messages open every link in them. */
  readonly unsubscribe: { readonly title: string; readonly text: (what: string) => string; readonly button: string }
  readonly unsubscribed: { readonly title: string; readonly text: (what: string) => string }
  readonly confirm: { readonly title: string; readonly text: (what: string) => string; readonly button: string }
  readonly confirmed: { readonly title: string; readonly text: (what: string) => string }
  /** At the end of the email that asks for it. */
  readonly why: (site: string) => string
  /** A link that has expired or was cut. */
  readonly expired: Notice
  /** Why somebody gets the answer to a form. */
  readonly entered: (what: string) => string
}

export interface VisitorTexts {
  readonly faults: FaultTexts
  readonly limits: LimitTexts
  readonly files: FileFaultTexts
  readonly form: FormTexts
  readonly link: LinkTexts
  readonly mail: MailTexts
}
