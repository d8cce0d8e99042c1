// What a file is taken for, and under which name it leaves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fileTypes } from '../forms/form-model.ts'
import { attachmentOf, cleanName, sizeText } from './file-names.ts'
import { fileTypeOf, nameToSaveAs } from './file-types.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const box = (brands: string): Buffer => {
  const content = bytes(`ftyp${brands.slice(0, 4)}\0\0\0\0${brands.slice(4)}`)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(content.length + 4)
  return Buffer.concat([size, content, Buffer.alloc(40)])
}

test('a file is what its first bytes say, and nothing else is taken', () => {
  const cases: readonly (readonly [Buffer, string | undefined])[] = [
    [bytes('\xFF\xD8\xFF\xE0..JFIF'), 'image/jpeg'],
    [bytes('\x89PNG\r\n\x1A\n....'), 'image/png'],
    [bytes('GIF89a....'), 'image/gif'],
    [bytes('RIFF....WEBPVP8 '), 'image/webp'],
    [box('avifmif1miaf'), 'image/avif'],
    [box('mif1avif'), 'image/avif'],
    [box('heicmif1'), 'image/heic'],
    [bytes('%PDF-1.4\n'), 'application/pdf'],
    [bytes(' %PDF-1.4\n'), undefined],
    [box('isommp42'), undefined],
    [bytes('RIFF....WAVE'), undefined],
    [bytes('<svg xmlns="http://www.w3.org/2000/svg">'), undefined],
    [bytes('<!DOCTYPE html>'), undefined],
    [bytes('PK\x03\x04'), undefined],
    [bytes('MZ'), undefined],
    [bytes(''), undefined],
    [bytes('\x89PNG'), undefined],
  ]
  for (const [head, type] of cases) assert.equal(fileTypeOf(head), type, head.toString('latin1'))
})

test('any bytes are of a known type or none', () => {
  const head = fc.oneof(
    fc.uint8Array({ maxLength: 64 }),
    fc
      .tuple(fc.uint8Array({ minLength: 4, maxLength: 4 }), fc.uint8Array({ maxLength: 56 }))
      .map(([size, rest]) => new Uint8Array([...size, ...bytes('ftyp'), ...rest])),
  )
  fc.assert(
    fc.property(head, (given) => {
      const type = fileTypeOf(Buffer.from(given))
      return type === undefined || fileTypes.includes(type)
    }),
  )
})

test('a file is saved under a name that says what it is', () => {
  assert.equal(nameToSaveAs('a.JPEG', 'image/jpeg'), 'a.JPEG')
  assert.equal(nameToSaveAs('invoice.exe', 'application/pdf'), 'invoice.exe.pdf')
  assert.equal(nameToSaveAs('photo', 'image/png'), 'photo.png')
})

test('no name is a path, or breaks out of a header', () => {
  assert.equal(cleanName('..'), 'file')
  assert.equal(cleanName('C:\\x\\'), 'file')
  assert.equal(cleanName('a/b/Größe 🎈.pdf'), 'Größe 🎈.pdf')
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
      const name = cleanName(given)
      assert.ok(name.length > 0 && [...name].length <= 200 && name.isWellFormed())
      // oxlint-disable-next-line no-control-regex -- this is what is looked for
      assert.doesNotMatch(name, /[/\\\u0000-\u001f\u007f\u202a-\u202e]/)
      assert.match(attachmentOf(name), /^attachment; filename="[^"\\%]*"; filename\*=UTF-8''[!#$&+.^_`|~\w%-]*$/)
    }),
  )
})

test('sizes read as in file managers', () => {
  assert.deepEqual([0, 999, 1024, 5009, 10_485_760].map(sizeText), ['0 bytes', '999 bytes', '1 KB', '4.9 KB', '10 MB'])
})
