// One delivery: what was sent, and every attempt with its answer. The answer is untrusted: it is shown as
// text.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import {
  type Attempt,
  type Automation,
  readDelivery,
  retryDelivery,
  type State,
  type WholeDelivery,
} from '../../api/automations.ts'
import { dateTime, number } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import type { AroundProps } from '../../parts/around.tsx'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Drawer } from '../../parts/dialog.tsx'
import { Badge, RelativeTime } from '../../parts/marks.tsx'
import { Facts } from '../../parts/panel.tsx'
import { Loaded, Skeleton, SkeletonLines } from '../../parts/states.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { automations as text } from '../../texts/index.ts'
import styles from './automations.module.css'
import { isUnderWay, POLL_MS } from './polling.ts'
import { DeliveryState, outcomeWords } from './state.tsx'

const retryable: ReadonlySet<State> = new Set(['failed', 'delivered', 'held'])

interface DrawerProps {
  readonly automation: Automation
  readonly id: string
  readonly around: AroundProps | undefined
  readonly onClose: () => void
}

export function DeliveryDrawer({ automation, id, around, onClose }: DrawerProps) {
  const property = useProperty()
  const client = useQueryClient()
  const canEdit = useCan('admin')
  const key = ['delivery', property.id, automation.id, id]
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readDelivery(property.id, automation.id, id, signal),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data.delivery) ? POLL_MS : false),
    staleTime: 0,
  })
  const retry = useMutation({
    mutationFn: () => retryDelivery(property.id, automation.id, id),
    onSuccess: async () => {
      toast(text.delivery.retried)
      await Promise.all([
        client.invalidateQueries({ queryKey: key }),
        client.invalidateQueries({ queryKey: ['deliveries', property.id, automation.id] }),
      ])
    },
  })
  const delivery = query.data?.delivery
  return (
    <Drawer
      title={text.delivery.title}
      subtitle={delivery ? dateTime(delivery.created_ts) : <Skeleton width="9rem" />}
      size="wide"
      around={around}
      onClose={onClose}
      actions={
        canEdit && delivery && retryable.has(delivery.state) ? (
          <Button look="primary" isBusy={retry.isPending} onClick={() => retry.mutate()}>
            {text.delivery.retry}
          </Button>
        ) : undefined
      }
    >
      <Loaded query={query} skeleton={<SkeletonLines lines={10} />}>
        {({ delivery: loaded }) => <DeliveryView delivery={loaded} />}
      </Loaded>
    </Drawer>
  )
}

function DeliveryView({ delivery }: { delivery: WholeDelivery }) {
  const path = usePropertyPath()
  const { state, is_test, next_attempt_ts, url, id, session_id, contact_id, attempts_made } = delivery
  return (
    <div className={styles.sections}>
      <section>
        <div className={styles.stateLine} role="status">
          <DeliveryState state={state} delivery={delivery} />
          {is_test && <Badge>{text.log.test}</Badge>}
          <span className={styles.small}>
            {text.delivery.hints[state]} {next_attempt_ts !== null && text.delivery.next(dateTime(next_attempt_ts))}
          </span>
        </div>
        <Facts
          rows={[
            [text.delivery.address, url],
            [text.delivery.id, <code key="id">{id}</code>],
            session_id !== null &&
              !is_test && [
                text.delivery.visit,
                <Link key="visit" href={path(`/sessions/${session_id}`)}>
                  {text.delivery.toVisit}
                </Link>,
              ],
            contact_id !== null && [
              text.delivery.contact,
              <Link key="contact" href={path(`/contacts/${contact_id}`)}>
                {text.delivery.toContact}
              </Link>,
            ],
          ]}
        />
      </section>
      <section>
        <h3>{text.delivery.attempts}</h3>
        {attempts_made.length === 0 && <p className={styles.small}>{text.delivery.noAttempts}</p>}
        {attempts_made.toReversed().map((attempt, index) => (
          <AttemptView key={attempt.number} attempt={attempt} isOpen={index === 0} />
        ))}
      </section>
      <section>
        <h3>{text.delivery.body}</h3>
        {delivery.body === null ? (
          <p className={styles.small}>{text.delivery.noBody}</p>
        ) : (
          <>
            <p className={styles.small}>{text.delivery.bodyHint}</p>
            <CodeBlock label={text.delivery.body} code={indented(delivery.body)} />
          </>
        )}
      </section>
    </div>
  )
}

/** JSON with line breaks; whatever else it is, as it is. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

function AttemptView({ attempt, isOpen }: { attempt: Attempt; isOpen: boolean }) {
  const { number: count, is_manual, status, error, started_ts, duration_ms } = attempt
  return (
    <details className={styles.attempt} open={isOpen}>
      <summary>
        <span className={styles.attemptTitle}>
          <span>{text.delivery.attempt(count)}</span>
          <Badge tone={error === null ? 'good' : 'bad'}>{outcomeWords({ status, error })}</Badge>
          {is_manual && <span className={styles.small}>{text.delivery.byHand}</span>}
          <span className={styles.small}>
            <RelativeTime ts={started_ts} /> · {text.delivery.took(number(duration_ms))}
          </span>
        </span>
      </summary>
      <div className={styles.attemptParts}>
        <h4>{text.delivery.answer}</h4>
        {attempt.response_body === '' ? (
          <p className={styles.small}>{text.delivery.emptyBody}</p>
        ) : (
          <CodeBlock label={text.delivery.answerBody} code={indented(attempt.response_body)} />
        )}
        <Headers caption={text.delivery.answerHeaders} headers={attempt.response_headers} />
        <h4>{text.delivery.request}</h4>
        <Headers caption={text.delivery.requestHeaders} headers={attempt.request_headers} />
      </div>
    </details>
  )
}

function Headers({ caption, headers }: { caption: string; headers: Readonly<Record<string, string>> }) {
  const rows = Object.entries(headers)
  if (rows.length === 0) return null
  return (
    <table className={styles.headers}>
      <caption className="visually-hidden">{caption}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{text.delivery.name}</th>
          <th scope="col">{text.delivery.value}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
