// Makes a logo of any picture that the browser can draw: a small PNG, in base64.
const SIDES_PX = [256, 128, 64]
/** The service takes 64 KiB; base64 has four characters for three bytes. */
const MOST_CHARACTERS = (64 * 1024 * 4) / 3

const readUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')))
    reader.readAsDataURL(file)
  })

function drawn(image: HTMLImageElement, mostPx: number): string {
  // A picture in SVG may have no size of its own.
  const [width, height] = [image.naturalWidth || mostPx, image.naturalHeight || mostPx]
  const scale = Math.min(1, mostPx / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/png').replace(/^[^,]*,/, '')
}

/** @throws when it is no picture. */
export async function logoOf(file: File): Promise<string> {
  const image = new Image()
  image.src = await readUrl(file)
  await image.decode()
  const sizes = SIDES_PX.map((side) => drawn(image, side))
  const fitting = sizes.find((png) => png.length <= MOST_CHARACTERS)
  if (fitting === undefined) throw new Error('too large')
  return fitting
}
