/** The package has no types of its own: what typeface.ts asks of it. */
declare module 'subset-font' {
  interface Subset {
    readonly targetFormat: 'woff2'
    readonly variationAxes: Readonly<Record<string, { readonly min: number; readonly max: number }>>
    /** OpenType features by their tags; all others are left out. */
    readonly keepFeatures: readonly string[]
  }
  /** A font with the characters of the text alone. */
  export default function subsetFont(font: Buffer, text: string, options: Subset): Promise<Buffer>
}
