// Where one is signed in, and how to end that.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Device, endDevice, listDevices } from '../../api/accounts.ts'
import { date } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Badge, RelativeTime } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { account as all } from '../../texts/index.ts'

const text = all.devices
const queryKey = ['devices']

export const deviceName = ({ browser, os }: { browser: string; os: string }): string => {
  if (browser === '') return text.unknown
  return os === '' ? browser : text.on(browser, os)
}

const columnsWith = (onEnd: (device: Device) => void): readonly Column<Device>[] => [
  { id: 'device', header: text.device, cell: (device) => deviceName(device) },
  { id: 'seen', header: text.seen, cell: ({ last_seen_ts: ts }) => <RelativeTime ts={ts} /> },
  { id: 'since', header: text.since, isMinor: true, cell: ({ created_ts: ts }) => date(ts) },
  {
    id: 'end',
    header: text.end,
    align: 'end',
    isAction: true,
    cell: (device) =>
      device.is_current ? (
        <Badge tone="accent">{text.current}</Badge>
      ) : (
        <Button size="small" aria-label={`${text.end}: ${deviceName(device)}`} onClick={() => onEnd(device)}>
          {text.end}
        </Button>
      ),
  },
]

export function Devices() {
  const client = useQueryClient()
  const devices = useQuery({ queryKey, queryFn: ({ signal }) => listDevices(signal) })
  const others = devices.data?.data.filter((device) => !device.is_current) ?? []
  const refresh = () => client.invalidateQueries({ queryKey })
  const end = useMutation({
    mutationFn: ({ id }: Device) => endDevice(id),
    onSuccess: () => toast(text.ended),
    onSettled: refresh,
  })
  const endOthers = useMutation({
    mutationFn: async () => {
      for (const { id } of others) await endDevice(id)
      return others.length
    },
    onSuccess: (count) => toast(text.othersEnded(count)),
    onSettled: refresh,
  })
  return (
    <Panel
      title={text.title}
      isFlush
      actions={
        others.length > 1 && (
          <Button size="small" isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {text.endOthers}
          </Button>
        )
      }
    >
      <DataTable
        caption={text.caption}
        columns={columnsWith((device) => end.mutate(device))}
        rows={devices.data?.data}
        rowKey={({ id }) => id}
        error={devices.error}
        onRetry={devices.refetch}
        skeletonRows={2}
      />
    </Panel>
  )
}
