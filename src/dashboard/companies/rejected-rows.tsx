import type { ResultOf } from '#kernel/result-of.js';
import type { ApiTokenAdministration } from '#api/operator/index.js';
import { rejectionText } from '../parts/labels.js';
import { Mark } from '../parts/states.js';
import { Instant } from '../parts/times.js';
import { countText } from '../parts/words.js';
import { rejectedText } from '../pull/sync-mark.js';

type Token = ResultOf<ApiTokenAdministration['listTokens']>[number];
type Rejected = NonNullable<Token['last_rejected_bulk']>;

interface RejectedRowsProps {
  readonly of: Rejected;
  readonly zone: string;
}

/** How many rows of a push were rejected, when, of which units and why. */
export function RejectedRows({ of, zone }: RejectedRowsProps) {
  return (
    <>
      <RejectedMark of={of} />
      <RejectedReasons of={of} zone={zone} />
    </>
  );
}

/** The same, with the reasons behind the number. */
export function FoldedRejectedRows({ of, zone }: RejectedRowsProps) {
  return (
    <details>
      <summary>
        <RejectedMark of={of} />
      </summary>
      <RejectedReasons of={of} zone={zone} />
    </details>
  );
}

function RejectedMark({ of: { total, error_count, refused } }: Pick<RejectedRowsProps, 'of'>) {
  if (!refused) return <Mark tone="warn">{rejectedText(error_count, total)}</Mark>;
  return (
    <Mark tone="bad">Push refused{total === 0 ? '' : `: none of ${countText(total, 'row')} was saved`}</Mark>
  );
}

function RejectedReasons({ of: { at, reasons }, zone }: RejectedRowsProps) {
  return (
    <>
      <p class="hint">
        Pushed <Instant at={at} zone={zone} />.
      </p>
      {reasons.map((reason) => (
        <p key={reason.message} class="hint">
          {unitsText(reason)}
          {rejectionText(reason.message)}
        </p>
      ))}
    </>
  );
}

/** `A-1, A-2 and 3 more: `; empty if no row has an identifier. */
function unitsText({ rows, crm_unit_ids: named }: Rejected['reasons'][number]): string {
  if (named.length === 0) return '';
  const more = rows - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}: `;
}
