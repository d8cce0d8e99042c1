// What visitors read in French: formal, with the narrow spaces that its quotation marks ask for.
import type { VisitorTexts } from './model.ts'

const field = (label: string): string => `Le champ «\u{202f}${label}\u{202f}»`
const characters = (count: string): string => (Number(count) > 1 ? `${count} caractères` : `${count} caractère`)

export const fr: VisitorTexts = {
  faults: {
    required: (label) => `${field(label)} est obligatoire.`,
    email: (label) => `${field(label)} doit contenir une adresse e-mail.`,
    url: (label) => `${field(label)} doit contenir une adresse qui commence par http:// ou https://.`,
    numeric: (label) => `${field(label)} doit contenir un nombre.`,
    integer: (label) => `${field(label)} doit contenir un nombre entier.`,
    min: (label, least) => `${field(label)} doit contenir une valeur d’au moins ${least}.`,
    max: (label, most) => `${field(label)} doit contenir une valeur d’au plus ${most}.`,
    min_length: (label, least) => `${field(label)} doit contenir au moins ${characters(least)}.`,
    max_length: (label, most) => `${field(label)} ne peut pas dépasser ${characters(most)}.`,
    in: (label) => `${field(label)} doit contenir l’un des choix proposés.`,
    regex: (label) => `${field(label)} n’a pas le bon format.`,
    matches: (label, other) => `${field(label)} doit être identique à «\u{202f}${other}\u{202f}».`,
    date: (label) => `${field(label)} doit contenir une date comme 2026-01-31.`,
    phone: (label) => `${field(label)} doit contenir un numéro de téléphone.`,
    accepted: (label) => `Veuillez cocher «\u{202f}${label}\u{202f}».`,
  },
  limits: {
    tooLong: (label, most) => `${field(label)} ne peut pas dépasser ${characters(most)}.`,
    tooMany: (label, most) => `${field(label)} accepte au plus ${most} valeurs.`,
    tooLongForPattern: (label) => `${field(label)} est trop long pour être vérifié.`,
  },
  files: {
    again: (label) => `Veuillez choisir de nouveau le fichier pour « ${label} ».`,
    tooMany: (label, most) => `« ${label} » : ${most} fichiers au maximum.`,
    tooLarge: (label, most) => `« ${label} » : un fichier ne doit pas dépasser ${most}.`,
    wrongType: (label, formats) => `« ${label} » : seuls ces formats sont acceptés : ${formats}.`,
  },
  form: {
    thanks: { title: 'Merci', text: 'Merci. Votre message a bien été envoyé.' },
    check: {
      title: 'Vérifiez vos réponses',
      text: 'Rien n’a encore été envoyé. Corrigez les champs signalés, puis renvoyez le formulaire.',
    },
    again: {
      title: 'Veuillez renvoyer le formulaire',
      text: 'Votre message n’a pas encore été envoyé. Vérifiez vos réponses et envoyez-les de nouveau.',
    },
    send: 'Envoyer',
    choose: 'Veuillez choisir',
    required: 'obligatoire',
    unavailable: { title: 'Ce formulaire n’est pas disponible', text: 'Il n’accepte pas de messages pour le moment.' },
    tooLarge: {
      title: 'C’est trop long',
      text: 'Votre message est trop volumineux pour être envoyé. Revenez en arrière et raccourcissez-le.',
    },
    tooOften: {
      title: 'Veuillez patienter',
      text: 'Trop de messages ont été envoyés depuis votre connexion. Attendez une minute, puis revenez en arrière et réessayez.',
    },
    script: {
      sent: 'Envoyé.',
      failed: 'L’envoi a échoué. Veuillez réessayer.',
      tooLong: 'Le message est trop long pour être envoyé.',
      next: 'Suivant',
      back: 'Retour',
    },
    notNow: {
      title: 'Votre message n’a pas été envoyé',
      text: 'Un problème est survenu de notre côté. Revenez en arrière et réessayez dans un instant.',
    },
    noRoom: {
      title: 'Vos fichiers n’ont pas pu être enregistrés',
      text: 'Il n’y a plus de place pour des fichiers en ce moment. Revenez en arrière et envoyez votre message sans fichiers.',
    },
    back: 'Retour au site',
  },
  link: {
    expired: { title: 'Ce lien a expiré', text: 'La page vers laquelle il menait n’est plus disponible ici.' },
    missing: { title: 'Ce lien ne mène nulle part', text: 'Il est peut-être mal saisi, ou il n’est plus utilisé.' },
    unavailable: {
      title: 'Indisponible pour le moment',
      text: 'Ce lien ne peut pas être ouvert pour l’instant. Veuillez réessayer dans quelques secondes.',
    },
    site: (host) => `Aller sur ${host}`,
    destination: 'Où mène ce lien',
    password: {
      title: 'Ce lien demande un mot de passe',
      text: 'Saisissez le mot de passe que vous avez reçu.',
      label: 'Mot de passe',
      button: 'Continuer',
      wrong: 'Ce mot de passe n’est pas correct.',
    },
    tooOften: { title: 'Trop de tentatives', text: 'Attendez 15 minutes, puis réessayez.' },
  },
  mail: {
    entered: (what) =>
      `Vous recevez cet e-mail parce que votre adresse e-mail a été saisie dans un formulaire de ${what}. Si ce n’était pas vous, ignorez-le.`,
    unsubscribe: {
      title: 'Se désabonner',
      text: (what) => `Souhaitez-vous ne plus recevoir d’e-mails de ${what}\u{202f}?`,
      button: 'Se désabonner',
    },
    unsubscribed: { title: 'Désabonnement effectué', text: (what) => `Vous ne recevrez plus d’e-mails de ${what}.` },
    confirm: {
      title: 'Confirmez votre inscription',
      text: (what) => `Souhaitez-vous recevoir des e-mails de ${what}\u{202f}?`,
      button: 'Oui, je m’inscris',
    },
    confirmed: {
      title: 'Inscription confirmée',
      text: (what) => `Vous recevrez des e-mails de ${what}. Vous pouvez vous désabonner à tout moment.`,
    },
    why: (site) =>
      `Vous recevez cet e-mail parce que votre adresse a été saisie sur ${site}. Si ce n’était pas vous, ignorez-le : rien ne vous sera envoyé.`,
    expired: { title: 'Ce lien a expiré', text: 'Il n’est plus valable, ou il est incomplet.' },
  },
}
