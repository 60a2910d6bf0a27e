import type { ComponentChildren } from 'preact';
import type { DeliveryState } from '#domain/webhooks/index.js';
import { webhookPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import type { Refused } from '../page/page.js';
import { Form } from '../parts/form.js';
import { eventText } from '../parts/labels.js';
import { type Column, listPage, type ListRange } from '../parts/list-page.js';
import { Instant } from '../parts/times.js';
import { countText } from '../parts/words.js';
import { EmptyState } from '../parts/empty-state.js';
import { Section, Tabs } from '../parts/layout.js';
import { type Delivery, DELIVERY_FILTERS, DeliveryMark, type Webhook } from './webhook-texts.js';

/** Deliveries of a page: each row has a form. */
const SHOWN = 25;

interface DeliveryListProps {
  readonly path: string;
  readonly state: DeliveryState | undefined;
  readonly zone: string;
  readonly refused: Refused | undefined;
  readonly read: (
    range: ListRange,
  ) => Promise<{ readonly deliveries: readonly Delivery[]; readonly next_cursor: string | null }>;
}

interface DeliveriesProps {
  readonly webhook: Webhook;
  /** The filter of the list. */
  readonly state: DeliveryState | undefined;
  /** The list. */
  readonly children: ComponentChildren;
}

/** The deliveries of a webhook, by their state. */
export function Deliveries({ webhook, state, children }: DeliveriesProps) {
  const path = webhookPath(webhook);
  const of = DELIVERY_FILTERS.map(([value, text]) => [filteredPath(path, value), text] as const);
  return (
    <Section title="Deliveries" id="deliveries">
      <Tabs of={of} current={filteredPath(path, state ?? '')} label="Outcome" kind="chips" />
      {children}
      <p class="hint">Each is kept for 30 days after its last try.</p>
    </Section>
  );
}

function filteredPath(path: string, state: string): string {
  return withQuery(path, { state: state === '' ? undefined : state });
}

/** The messages of a webhook, newest first, with what its receiver answered. */
export function deliveryList({ path, state, zone, refused, read }: DeliveryListProps) {
  return listPage({
    caption: 'Deliveries, newest first',
    name: 'deliveries',
    path,
    file: `${path}/deliveries.csv`,
    query: { state },
    columns: columnsOf(path, zone, refused),
    keyOf: ({ delivery_id }: Delivery) => delivery_id,
    read: async (range) => {
      const { deliveries, next_cursor } = await read(range);
      return { rows: deliveries, next_cursor };
    },
    empty: (
      <EmptyState icon="send" title={state === undefined ? 'Nothing was sent yet' : 'None of this state'}>
        A test shows whether the receiver answers.
      </EmptyState>
    ),
    limit: SHOWN,
  });
}

function columnsOf(path: string, zone: string, refused: Refused | undefined): readonly Column<Delivery>[] {
  return [
    { name: 'delivery_id' },
    { name: 'message_id' },
    {
      title: 'Made',
      name: 'created_at',
      cell: ({ created_at }) => <Instant at={created_at} zone={zone} precision="second" />,
    },
    { title: 'Event', name: 'type', cell: ({ type }) => eventText(type) },
    { title: 'State', name: 'state', cell: (delivery) => <DeliveryMark of={delivery} /> },
    {
      title: 'Answer',
      name: 'answer',
      value: answerOf,
      cell: (delivery) => <Answer {...{ delivery, zone }} />,
    },
    {
      title: 'Send again',
      fit: 'acts',
      cell: ({ delivery_id }) => (
        <Form
          name={`resend-${delivery_id}`}
          action={`${path}/deliveries/${delivery_id}/resend`}
          submit="Send again"
          tone="quiet"
          refused={refused}
        />
      ),
    },
  ];
}

function answerOf({ attempts }: Delivery): string {
  return attempts.at(-1)?.answer ?? '';
}

/** The last answer, and the next try. */
function Answer({ delivery, zone }: { readonly delivery: Delivery; readonly zone: string }) {
  const { attempts, next_try_at } = delivery;
  return (
    <>
      {answerOf(delivery)}
      <p class="hint">
        {countText(attempts.length, 'try', 'tries')}
        {attempts.length > 0 && next_try_at !== null ? (
          <>
            , the next <Instant at={next_try_at} zone={zone} />
          </>
        ) : null}
      </p>
    </>
  );
}
