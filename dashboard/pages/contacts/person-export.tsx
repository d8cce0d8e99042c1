// Everything about one person as a file: to be read, or for a program.
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { type Contact, exportPerson } from '../../api/contacts.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useProperty } from '../../session.tsx'
import { contacts as text } from '../../texts/index.ts'

export function PersonExport({ contact }: { contact: Contact }) {
  const property = useProperty()
  const [isOpen, setOpen] = useState(false)
  const exporting = useMutation({
    mutationFn: (format: 'json' | 'html') => exportPerson(property.id, contact.id, format),
    onSuccess: () => {
      toast(text.personExport.done)
      setOpen(false)
    },
  })
  return (
    <>
      <Button look="quiet" icon={<Download />} onClick={() => setOpen(true)}>
        {text.personExport.button}
      </Button>
      {isOpen && (
        <Dialog
          title={text.personExport.title}
          onClose={() => setOpen(false)}
          actions={
            <>
              <Button isBusy={exporting.isPending} onClick={() => exporting.mutate('json')}>
                {text.personExport.json}
              </Button>
              <Button look="primary" isBusy={exporting.isPending} onClick={() => exporting.mutate('html')}>
                {text.personExport.html}
              </Button>
            </>
          }
        >
          <p>{text.personExport.words}</p>
        </Dialog>
      )}
    </>
  )
}
