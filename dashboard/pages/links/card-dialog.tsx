// The preview card of a link, with what it looks like while it is written.
import { useQueryClient } from '@tanstack/react-query'
import { type Link, type LinkCard, writeCard } from '../../api/links.ts'
import { spoken } from '../../field-errors.ts'
import { toast, toastError } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextArea, TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { useProperty } from '../../session.tsx'
import { link as text } from '../../texts/index.ts'
import { cardKey } from './links.ts'
import { PreviewCard } from './preview-card.tsx'
import styles from './links.module.css'

const words = text.card

interface CardDialogProps {
  readonly link: Link
  readonly card: LinkCard | null
  readonly onClose: () => void
}

export default function CardDialog({ link, card, onClose }: CardDialogProps) {
  const property = useProperty()
  const client = useQueryClient()
  const write = async (next: LinkCard | null): Promise<void> => {
    client.setQueryData(cardKey(property.id, link.id), await writeCard(property.id, link.id, next))
    toast(next ? words.saved : words.removed)
    onClose()
  }
  const empty = { title: '', description: '', image_url: '' }
  const known = card && { ...card, description: card.description ?? '', image_url: card.image_url ?? '' }
  const state = useForm(known ?? empty, (values) =>
    write(values).catch((error: unknown) => {
      throw spoken(error, (path) => path.replace(/^card\./, ''))
    }),
  )
  return (
    <Dialog title={words.dialog} onClose={onClose}>
      <Form
        form={state}
        actions={
          <>
            <Button type="submit" look="primary" isBusy={state.isBusy}>
              {words.save}
            </Button>
            {card && (
              <Button look="quiet" onClick={() => void write(null).catch(toastError)}>
                {words.remove}
              </Button>
            )}
          </>
        }
      >
        <p className={styles.aside}>{words.about}</p>
        <TextField label={words.name} maxLength={200} required {...state.field('title')} />
        <TextArea label={words.description} rows={2} {...state.field('description')} />
        <TextField label={words.image} hint={words.imageHint} type="url" {...state.field('image_url')} />
        <section aria-label={words.example}>
          <PreviewCard card={state.values} shortUrl={link.short_url} />
        </section>
      </Form>
    </Dialog>
  )
}
