// What visitors read in Portuguese, in words that are at home in Portugal and in Brazil alike.
import type { VisitorTexts } from './model.ts'

const field = (label: string): string => `O campo “${label}”`
const characters = (count: string): string => (Number(count) === 1 ? `${count} caractere` : `${count} caracteres`)

export const pt: VisitorTexts = {
  faults: {
    required: (label) => `${field(label)} é obrigatório.`,
    email: (label) => `${field(label)} deve conter um endereço de e-mail.`,
    url: (label) => `${field(label)} deve conter um endereço que comece por http:// ou https://.`,
    numeric: (label) => `${field(label)} deve conter um número.`,
    integer: (label) => `${field(label)} deve conter um número inteiro.`,
    min: (label, least) => `${field(label)} deve ser no mínimo ${least}.`,
    max: (label, most) => `${field(label)} deve ser no máximo ${most}.`,
    min_length: (label, least) => `${field(label)} deve ter pelo menos ${characters(least)}.`,
    max_length: (label, most) => `${field(label)} pode ter no máximo ${characters(most)}.`,
    in: (label) => `${field(label)} deve conter uma das opções disponíveis.`,
    regex: (label) => `${field(label)} não tem o formato correto.`,
    matches: (label, other) => `${field(label)} deve ser igual a “${other}”.`,
    date: (label) => `${field(label)} deve conter uma data como 2026-01-31.`,
    phone: (label) => `${field(label)} deve conter um número de telefone.`,
    accepted: (label) => `É necessário aceitar “${label}”.`,
  },
  limits: {
    tooLong: (label, most) => `${field(label)} pode ter no máximo ${characters(most)}.`,
    tooMany: (label, most) => `${field(label)} aceita no máximo ${most} valores.`,
    tooLongForPattern: (label) => `${field(label)} é longo demais para ser verificado.`,
  },
  files: {
    again: (label) => `Escolha novamente o ficheiro de «${label}».`,
    tooMany: (label, most) => `«${label}»: no máximo ${most} ficheiros.`,
    tooLarge: (label, most) => `«${label}»: um ficheiro pode ter no máximo ${most}.`,
    wrongType: (label, formats) => `«${label}»: apenas ficheiros nestes formatos: ${formats}.`,
  },
  form: {
    thanks: { title: 'Obrigado', text: 'Obrigado. A sua mensagem foi enviada.' },
    check: {
      title: 'Verifique as suas respostas',
      text: 'Ainda não foi enviado nada. Corrija os campos assinalados e envie o formulário novamente.',
    },
    again: {
      title: 'Envie novamente',
      text: 'A sua mensagem ainda não foi enviada. Verifique as suas respostas e envie novamente.',
    },
    send: 'Enviar',
    choose: 'Escolha uma opção',
    required: 'obrigatório',
    unavailable: { title: 'Este formulário não está disponível', text: 'De momento não aceita mensagens.' },
    tooLarge: {
      title: 'É demasiado grande',
      text: 'A sua mensagem é grande demais para ser enviada. Volte atrás e encurte-a.',
    },
    tooOften: {
      title: 'Aguarde um momento',
      text: 'Foram enviadas mensagens demais a partir da sua ligação. Aguarde um minuto, volte atrás e tente novamente.',
    },
    script: {
      sent: 'Enviado.',
      failed: 'Não foi enviado. Tente novamente.',
      tooLong: 'É demasiado longo para ser enviado.',
      next: 'Seguinte',
      back: 'Voltar',
    },
    notNow: {
      title: 'A sua mensagem não foi enviada',
      text: 'Ocorreu um erro do nosso lado. Volte atrás e tente novamente daqui a pouco.',
    },
    noRoom: {
      title: 'Não foi possível guardar os seus ficheiros',
      text: 'De momento não há espaço para ficheiros. Volte atrás e envie a sua mensagem sem eles.',
    },
    back: 'Voltar ao site',
  },
  link: {
    expired: { title: 'Este link expirou', text: 'A página a que levava já não está disponível aqui.' },
    missing: { title: 'Este link não leva a lugar nenhum', text: 'Talvez esteja mal escrito ou já não seja usado.' },
    unavailable: {
      title: 'Indisponível neste momento',
      text: 'Não é possível abrir este link agora. Tente novamente dentro de alguns segundos.',
    },
    site: (host) => `Ir para ${host}`,
    destination: 'Para onde leva este link',
    password: {
      title: 'Este link pede uma palavra-passe',
      text: 'Introduza a palavra-passe que recebeu.',
      label: 'Palavra-passe',
      button: 'Continuar',
      wrong: 'Essa palavra-passe não está correta.',
    },
    tooOften: { title: 'Demasiadas tentativas', text: 'Aguarde 15 minutos e tente novamente.' },
  },
  mail: {
    entered: (what) =>
      `Recebe este e-mail porque o seu endereço de e-mail foi indicado num formulário de ${what}. Se não foi o próprio, ignore-o.`,
    unsubscribe: {
      title: 'Cancelar a subscrição',
      text: (what) => `Deseja deixar de receber e-mails de ${what}?`,
      button: 'Cancelar a subscrição',
    },
    unsubscribed: { title: 'Subscrição cancelada', text: (what) => `Não receberá mais e-mails de ${what}.` },
    confirm: {
      title: 'Confirme a sua subscrição',
      text: (what) => `Deseja receber e-mails de ${what}?`,
      button: 'Sim, quero receber',
    },
    confirmed: {
      title: 'Subscrição confirmada',
      text: (what) => `Passará a receber e-mails de ${what}. Pode cancelar a subscrição a qualquer momento.`,
    },
    why: (site) =>
      `Recebe este e-mail porque o seu endereço foi introduzido em ${site}. Se não foi você, ignore-o: nada lhe será enviado.`,
    expired: { title: 'Este link expirou', text: 'Já não é válido ou está incompleto.' },
  },
}
