import type { FiledCheckpoint } from '#eventsourcing/proof/newest-checkpoints.js';
import { CopyText } from '../parts/copy-button.js';
import type { Column } from '../parts/list-page.js';
import { Mark } from '../parts/states.js';
import { Instant } from '../parts/times.js';

export const CHECKPOINT_COLUMNS: readonly Column<FiledCheckpoint>[] = [
  { title: 'Signed', name: 'at', cell: ({ at }) => <Instant at={at} precision="second" /> },
  { title: 'Events', name: 'events' },
  { title: 'Streams', name: 'streams' },
  {
    title: 'Root',
    name: 'root',
    fit: 'wide',
    cell: ({ root }) => (
      <>
        <code class="cut" title={root}>
          {root}
        </code>{' '}
        <CopyText text={root} label="Copy the root" kind="button ghost small only" />
      </>
    ),
  },
  { name: 'key' },
  { name: 'signature' },
  {
    title: 'Signature',
    name: 'is_signed',
    cell: ({ is_signed }) => (
      <Mark tone={is_signed ? 'good' : 'bad'}>{is_signed ? 'Valid' : 'Not valid'}</Mark>
    ),
  },
];
