import type { FiledCheckpoint } from '../../operator/index.js';
import { Empty, Table } from '../parts/layout.js';
import { Instant } from '../parts/times.js';

/** Where the log stood, as it was signed: newest first. */
export function CheckpointTable({ of }: { readonly of: readonly FiledCheckpoint[] }) {
  if (of.length === 0) return <Empty>None yet: the service signs the first one within the hour.</Empty>;
  const rows = of.map(({ at, events, streams, root, signature, is_signed }) => ({
    key: signature,
    cells: [
      <Instant at={at} to="second" />,
      events,
      streams,
      <code>{root}</code>,
      is_signed ? 'fits' : <strong>does not fit</strong>,
    ],
  }));
  return (
    <Table
      caption="Checkpoints, newest first"
      head={['Signed', 'Events', 'Streams', 'Root', 'Signature']}
      rows={rows}
    />
  );
}
