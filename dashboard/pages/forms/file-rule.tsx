// Which files a field takes, as its owner sets it: formats in two kinds, since nobody thinks in media types.
import { defaultFileRule, type FileRule, fileTypes } from '../../../server/forms/form-model.ts'
import { Checkbox, NumberField } from '../../parts/fields.tsx'
import { FormRow } from '../../parts/form.tsx'
import { forms as text } from '../../texts/index.ts'
import type { FieldDraft } from './draft.ts'

const { files } = text.builder
const MB = 1024 * 1024

const isImage = (type: string): boolean => type.startsWith('image/')
const kinds = [
  { label: files.images, types: fileTypes.filter(isImage) },
  { label: files.pdf, types: fileTypes.filter((type) => !isImage(type)) },
] as const

interface FilesProps {
  readonly field: FieldDraft
  readonly onChange: (patch: Partial<FieldDraft>) => void
  readonly errorsOf: (member: string) => readonly string[]
}

export function Files({ field, onChange, errorsOf }: FilesProps) {
  const rule = field.file ?? defaultFileRule
  const set = (patch: Partial<FileRule>): void => onChange({ file: { ...rule, ...patch } })
  const shown = Math.round((rule.max_bytes / MB) * 10) / 10
  return (
    <>
      {kinds.map(({ label, types }) => (
        <Checkbox
          key={label}
          label={label}
          isOn={types.some((type) => rule.types.includes(type))}
          onChange={(isOn) => {
            const others = rule.types.filter((type) => !types.includes(type))
            set({ types: isOn ? [...others, ...types] : others })
          }}
        />
      ))}
      <FormRow>
        <NumberField
          label={files.size}
          min={0.1}
          max={50}
          step={0.1}
          value={shown}
          onChange={(size) => size !== null && set({ max_bytes: Math.round(size * MB) })}
          errors={[...errorsOf('file.max_bytes'), ...errorsOf('file.types')]}
        />
        <NumberField
          label={files.count}
          min={1}
          max={10}
          value={rule.max_count}
          onChange={(count) => count !== null && set({ max_count: count })}
          errors={errorsOf('file.max_count')}
        />
      </FormRow>
    </>
  )
}
