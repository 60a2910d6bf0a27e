import { messagesIn } from '#pull/index.js';
import { NO_LOCATION_CODE, rejectionText } from '../parts/labels.js';
import { Empty } from '../parts/layout.js';
import { Mark } from '../parts/states.js';
import { countText } from '../parts/words.js';
import type { ShownTest } from './chosen-mapping.js';
import { rejectedText } from './sync-mark.js';

interface TestOutcomeProps {
  readonly of: ShownTest;
  readonly isAdmin: boolean;
}

/** Whether a test works, with the rows that a run would reject. */
export function TestOutcome({ of, isAdmin }: TestOutcomeProps) {
  const { failure, entries, has_more_pages, fields, checked, error_count } = of;
  if (failure !== null)
    return (
      <p role="status">
        <Mark tone="bad">Failed</Mark> {failure.message}
        {!isAdmin && failure.message.includes('credential') ? ' Only an admin sets it.' : null}
      </p>
    );
  return (
    <>
      {entries === null ? null : (
        <p role="status">
          {error_count === 0 ? (
            <Mark tone="good">Works</Mark>
          ) : (
            <Mark tone="warn">{rejectedText(error_count, checked, 'would be rejected')}</Mark>
          )}{' '}
          {countText(entries, 'unit')} on the first page
          {has_more_pages ? '. More pages follow.' : '.'}
        </p>
      )}
      <RejectedRows of={of} />
      {fields.length === 0 ? <Empty>No fields found.</Empty> : null}
    </>
  );
}

/** Each reason with a row as an example, then every row. */
function RejectedRows({ of: { reasons, rejected } }: { readonly of: ShownTest }) {
  if (rejected.length === 0) return null;
  const hasNoCode = reasons.some((reason) => rejectionText(reason) === NO_LOCATION_CODE);
  return (
    <>
      <ul>
        {reasons.map((reason) => (
          <RejectedLine key={reason} of={{ ...exampleOf(reason, rejected), error: reason }} />
        ))}
      </ul>
      {hasNoCode ? (
        <p>
          Each row must tell its site, because the company has several. Choose “Location code” for the field
          that holds it. If no field does, and all rows are of one location, choose it as “Site of all rows”.
        </p>
      ) : null}
      {rejected.length > reasons.length ? (
        <details>
          <summary>See all {countText(rejected.length, 'rejected row')}</summary>
          <ul>
            {rejected.map((row, index) => (
              <RejectedLine key={index} of={row} />
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}

type RejectedRow = ShownTest['rejected'][number];

/** A reason begins with the message of the row, and may go on with what can be done. */
function exampleOf(reason: string, rejected: readonly RejectedRow[]): Omit<RejectedRow, 'error'> {
  const found = rejected.find(({ error }) => messagesIn(error).some((message) => reason.startsWith(message)));
  return found ?? { crm_unit_id: '', sample: null };
}

function RejectedLine({ of: { crm_unit_id, error, sample } }: { readonly of: RejectedRow }) {
  return (
    <li>
      {crm_unit_id === '' ? '' : `${crm_unit_id}: `}
      {rejectionText(error)}
      {sample === null ? '' : ` It is “${sample}”.`}
    </li>
  );
}
