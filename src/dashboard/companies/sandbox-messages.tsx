import { EmptyState } from '../parts/empty-state.js';
import { Section, Table } from '../parts/layout.js';
import { Instant } from '../parts/times.js';

interface SandboxMessagesProps {
  /** The beginning of the sandbox's test numbers. */
  readonly test_numbers: string;
  readonly messages: readonly { readonly to: string; readonly body: string; readonly sent_at: string }[];
  readonly zone: string;
}

/** The test numbers of a sandbox and the codes that were sent to them. */
export function SandboxMessages({ test_numbers, messages, zone }: SandboxMessagesProps) {
  const rows = messages.map(({ to, body, sent_at }) => ({
    key: `${sent_at} ${body}`,
    cells: [<Instant at={sent_at} zone={zone} />, to, body],
  }));
  return (
    <Section title="Test numbers and messages">
      <p class="hint">
        A sandbox sends no text messages. Give its tenants phone numbers that begin with{' '}
        <strong>{test_numbers}</strong> and have three or more digits behind. Only these can sign in to the
        sandbox. Their codes appear here.
      </p>
      {rows.length === 0 ? (
        <EmptyState icon="message" title="No message yet">
          Sign in to the tenants’ app with one of these numbers.
        </EmptyState>
      ) : (
        <Table caption="Last 20 messages" head={['Sent', 'To', 'Message']} rows={rows} />
      )}
    </Section>
  );
}
