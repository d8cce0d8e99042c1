// What visitors read in English. The sentences about answers are also in docs/api/forms.md.
import type { VisitorTexts } from './model.ts'

export const en: VisitorTexts = {
  faults: {
    required: (label) => `${label} is required.`,
    email: (label) => `${label} must be an email address.`,
    url: (label) => `${label} must be an address that begins with http:// or https://.`,
    numeric: (label) => `${label} must be a number.`,
    integer: (label) => `${label} must be a whole number.`,
    min: (label, least) => `${label} must be at least ${least}.`,
    max: (label, most) => `${label} must be at most ${most}.`,
    min_length: (label, least) => `${label} must have at least ${least} characters.`,
    max_length: (label, most) => `${label} may have at most ${most} characters.`,
    in: (label) => `${label} must be one of the given choices.`,
    regex: (label) => `${label} does not have the right form.`,
    matches: (label, other) => `${label} must be the same as ${other}.`,
    date: (label) => `${label} must be a date like 2026-01-31.`,
    phone: (label) => `${label} must be a phone number.`,
    accepted: (label) => `${label} must be accepted.`,
  },
  limits: {
    tooLong: (label, most) => `${label} may have at most ${most} characters.`,
    tooMany: (label, most) => `${label} may have at most ${most} values.`,
    tooLongForPattern: (label) => `${label} is too long to be checked.`,
  },
  files: {
    again: (label) => `Please choose the file for ${label} again.`,
    tooMany: (label, most) => `${label}: at most ${most} files.`,
    tooLarge: (label, most) => `${label}: a file may have at most ${most}.`,
    wrongType: (label, formats) => `${label}: only files of these formats: ${formats}.`,
  },
  form: {
    thanks: { title: 'Thank you', text: 'Thank you. Your message has been sent.' },
    check: {
      title: 'Please check your answers',
      text: 'Nothing has been sent yet. Correct the marked fields, then send the form again.',
    },
    again: {
      title: 'Please send it again',
      text: 'Your message has not been sent yet. Check your answers and send them again.',
    },
    send: 'Send',
    choose: 'Please choose',
    required: 'required',
    unavailable: { title: 'This form is not available', text: 'It is not accepting messages at the moment.' },
    tooLarge: { title: 'That is too much', text: 'Your message is too large to be sent. Go back and shorten it.' },
    tooOften: {
      title: 'Please wait a moment',
      text: 'Too many messages came from your connection. Wait a minute, then go back and try again.',
    },
    script: {
      sent: 'Sent.',
      failed: 'Not sent. Please try again.',
      tooLong: 'Too long to be sent.',
      next: 'Next',
      back: 'Back',
    },
    notNow: {
      title: 'Your message was not sent',
      text: 'Something went wrong on our side. Go back and try again in a moment.',
    },
    noRoom: {
      title: 'Your files could not be stored',
      text: 'There is no room for files at the moment. Go back and send your message without them.',
    },
    back: 'Back to the website',
  },
  link: {
    expired: { title: 'This link has expired', text: 'The page it led to is no longer available here.' },
    missing: { title: 'This link leads nowhere', text: 'It may have been mistyped, or it is no longer in use.' },
    unavailable: {
      title: 'Not now',
      text: 'This link is temporarily unavailable. Please try again in a few seconds.',
    },
    site: (host) => `Go to ${host}`,
    destination: 'Where this link leads',
    password: {
      title: 'This link needs a password',
      text: 'Enter the password you were given.',
      label: 'Password',
      button: 'Continue',
      wrong: 'That password is not correct.',
    },
    tooOften: { title: 'Too many attempts', text: 'Wait 15 minutes, then try again.' },
  },
  mail: {
    entered: (what) =>
      `You get this email because your email address was entered in a form of ${what}. If that was not you, ignore it.`,
    unsubscribe: {
      title: 'Unsubscribe',
      text: (what) => `Do you want to stop receiving emails from ${what}?`,
      button: 'Unsubscribe',
    },
    unsubscribed: { title: 'You are unsubscribed', text: (what) => `You will no longer receive emails from ${what}.` },
    confirm: {
      title: 'Confirm your subscription',
      text: (what) => `Do you want to receive emails from ${what}?`,
      button: 'Yes, subscribe me',
    },
    confirmed: {
      title: 'You are subscribed',
      text: (what) => `You will receive emails from ${what}. You can unsubscribe at any time.`,
    },
    why: (site) =>
      `You get this email because your address was entered at ${site}. If that was not you, ignore it: nothing will be sent to you.`,
    expired: { title: 'This link has expired', text: 'It is no longer valid, or part of it is missing.' },
  },
}
