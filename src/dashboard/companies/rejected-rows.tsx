import type { DataOf } from '../../http/pipeline/answer.js';
import type { ApiTokensController } from '../../operator/index.js';
import { reasonOfRejection } from '../parts/labels.js';
import { Mark } from '../parts/states.js';
import { Instant } from '../parts/times.js';
import { rejectedText } from '../pull/sync-mark.js';

type Token = DataOf<ApiTokensController['list']>['api_tokens'][number];

interface RejectedRowsProps {
  readonly of: NonNullable<Token['last_rejected_bulk']>;
  readonly zone: string;
}

/** How many rows of a push were rejected, when, and why. */
export function RejectedRows({ of: { at, total, error_count, reasons }, zone }: RejectedRowsProps) {
  return (
    <>
      <Mark tone="warn">{rejectedText(error_count, total)}</Mark>
      <p class="hint">
        Pushed <Instant at={at} zone={zone} />. {reasons.map(reasonOfRejection).join(' ')}
      </p>
    </>
  );
}
