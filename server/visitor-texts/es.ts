// What visitors read in Spanish: without tú or usted where a sentence allows it, so that it reads well
// anywhere.
import type { VisitorTexts } from './model.ts'

const field = (label: string): string => `El campo «${label}»`
const characters = (count: string): string => (Number(count) === 1 ? `${count} carácter` : `${count} caracteres`)

export const es: VisitorTexts = {
  faults: {
    required: (label) => `${field(label)} es obligatorio.`,
    email: (label) => `${field(label)} debe contener una dirección de correo electrónico.`,
    url: (label) => `${field(label)} debe contener una dirección que empiece por http:// o https://.`,
    numeric: (label) => `${field(label)} debe contener un número.`,
    integer: (label) => `${field(label)} debe contener un número entero.`,
    min: (label, least) => `${field(label)} debe ser como mínimo ${least}.`,
    max: (label, most) => `${field(label)} debe ser como máximo ${most}.`,
    min_length: (label, least) => `${field(label)} debe tener al menos ${characters(least)}.`,
    max_length: (label, most) => `${field(label)} puede tener como máximo ${characters(most)}.`,
    in: (label) => `${field(label)} debe contener una de las opciones disponibles.`,
    regex: (label) => `${field(label)} no tiene el formato correcto.`,
    matches: (label, other) => `${field(label)} debe coincidir con «${other}».`,
    date: (label) => `${field(label)} debe contener una fecha como 2026-01-31.`,
    phone: (label) => `${field(label)} debe contener un número de teléfono.`,
    accepted: (label) => `Es necesario aceptar «${label}».`,
  },
  limits: {
    tooLong: (label, most) => `${field(label)} puede tener como máximo ${characters(most)}.`,
    tooMany: (label, most) => `${field(label)} admite como máximo ${most} valores.`,
    tooLongForPattern: (label) => `${field(label)} es demasiado largo para comprobarlo.`,
  },
  files: {
    again: (label) => `Vuelva a elegir el archivo de «${label}».`,
    tooMany: (label, most) => `«${label}»: como máximo ${most} archivos.`,
    tooLarge: (label, most) => `«${label}»: un archivo puede tener como máximo ${most}.`,
    wrongType: (label, formats) => `«${label}»: solo archivos en estos formatos: ${formats}.`,
  },
  form: {
    thanks: { title: 'Gracias', text: 'Gracias. El mensaje se ha enviado.' },
    check: {
      title: 'Revise sus respuestas',
      text: 'Todavía no se ha enviado nada. Corrija los campos marcados y vuelva a enviar el formulario.',
    },
    again: {
      title: 'Vuelva a enviarlo',
      text: 'El mensaje todavía no se ha enviado. Revise sus respuestas y envíelas de nuevo.',
    },
    send: 'Enviar',
    choose: 'Elija una opción',
    required: 'obligatorio',
    unavailable: { title: 'Este formulario no está disponible', text: 'En este momento no admite mensajes.' },
    tooLarge: { title: 'Es demasiado', text: 'El mensaje es demasiado grande para enviarlo. Vuelva atrás y acórtelo.' },
    tooOften: {
      title: 'Espere un momento',
      text: 'Se han enviado demasiados mensajes desde su conexión. Espere un minuto, vuelva atrás e inténtelo de nuevo.',
    },
    script: {
      sent: 'Enviado.',
      failed: 'No se ha enviado. Inténtelo de nuevo.',
      tooLong: 'Es demasiado largo para enviarlo.',
      next: 'Siguiente',
      back: 'Atrás',
    },
    notNow: {
      title: 'El mensaje no se ha enviado',
      text: 'Ha ocurrido un error por nuestra parte. Vuelva atrás e inténtelo de nuevo en un momento.',
    },
    noRoom: {
      title: 'No se han podido guardar sus archivos',
      text: 'Ahora mismo no hay espacio para archivos. Vuelva atrás y envíe su mensaje sin ellos.',
    },
    back: 'Volver al sitio web',
  },
  link: {
    expired: { title: 'Este enlace ha caducado', text: 'La página a la que llevaba ya no está disponible aquí.' },
    missing: { title: 'Este enlace no lleva a ninguna parte', text: 'Puede que esté mal escrito o que ya no se use.' },
    unavailable: {
      title: 'No disponible por ahora',
      text: 'Este enlace no se puede abrir en este momento. Inténtelo de nuevo en unos segundos.',
    },
    site: (host) => `Ir a ${host}`,
    destination: 'Adónde lleva este enlace',
    password: {
      title: 'Este enlace requiere una contraseña',
      text: 'Introduzca la contraseña que ha recibido.',
      label: 'Contraseña',
      button: 'Continuar',
      wrong: 'Esa contraseña no es correcta.',
    },
    tooOften: { title: 'Demasiados intentos', text: 'Espere 15 minutos y vuelva a intentarlo.' },
  },
  mail: {
    entered: (what) =>
      `Recibe este correo porque su dirección de correo electrónico se introdujo en un formulario de ${what}. Si no fue usted, ignórelo.`,
    unsubscribe: {
      title: 'Cancelar la suscripción',
      text: (what) => `¿Quiere dejar de recibir correos de ${what}?`,
      button: 'Cancelar la suscripción',
    },
    unsubscribed: { title: 'Suscripción cancelada', text: (what) => `Ya no recibirá correos de ${what}.` },
    confirm: {
      title: 'Confirme su suscripción',
      text: (what) => `¿Quiere recibir correos de ${what}?`,
      button: 'Sí, suscribirme',
    },
    confirmed: {
      title: 'Suscripción confirmada',
      text: (what) => `Recibirá correos de ${what}. Puede cancelar la suscripción en cualquier momento.`,
    },
    why: (site) =>
      `Recibe este correo porque su dirección se introdujo en ${site}. Si no fue usted, ignórelo: no se le enviará nada.`,
    expired: { title: 'Este enlace ha caducado', text: 'Ya no es válido o está incompleto.' },
  },
}
