import type { Today, TodayQuery } from '#api/operator/index.js';
import { tenantPath, unitPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import { Icon } from '../parts/icon.js';
import { None } from '../parts/layout.js';
import { capitalized, reasonText } from '../parts/labels.js';
import { Instant, KNOWN_SINCE } from '../parts/times.js';
import { UnitLink } from '../parts/unit-link.js';
import { amountText, countText, instantText, phoneText } from '../parts/words.js';

export type ToBeCalled = Today['locked_out']['first'][number];

interface CallRowProps {
  readonly of: ToBeCalled;
  readonly zone: string;
  /** Rows name their site, if the company has several. */
  readonly hasSites: boolean;
  /** Absent for one who may not change anything. */
  readonly acts: (Pick<TodayQuery, 'location_id' | 'reason'> & { readonly company_id: string }) | undefined;
}

/** A unit whose tenant is to be called. What can be done with it lies over the end of the row. */
export function CallRow({ of, zone, hasSites, acts }: CallRowProps) {
  const { called, days_late } = of;
  return (
    <tr class={called === null ? undefined : 'done'}>
      <th scope="row">
        <a href={tenantPath(of.tenant_id)}>{nameOf(of)}</a>
      </th>
      <td>
        <UnitLink unit={of} /> {hasSites ? <span class="soft">{of.location_name}</span> : null}
      </td>
      <td>{called === null ? <Why of={of} zone={zone} /> : <CalledMark of={called} zone={zone} />}</td>
      <td class="number off">{days_late === null ? <None>–</None> : countText(days_late, 'day')}</td>
      <td class="number top-end">{amountText(of.balance_due, of.currency)}</td>
      <td class="hold">
        <span class="row-acts">
          <Reach of={of} />
          {acts === undefined ? null : <Acts of={of} acts={acts} />}
        </span>
      </td>
    </tr>
  );
}

const nameOf = ({ tenant_name }: ToBeCalled) => tenant_name ?? 'Unknown';

/** The reason. Its tooltip says since when, and when a door was refused last. */
function Why({ of, zone }: Pick<CallRowProps, 'of' | 'zone'>) {
  const { reason, locked_out_since: since, last_refused_at: refused } = of;
  const notes = [
    since == null ? [] : `${KNOWN_SINCE} ${instantText(since, zone, 'day')}`,
    refused === null ? [] : `Last refused ${instantText(refused, zone)}`,
  ].flat();
  return (
    <span class="pill bad" title={notes.length === 0 ? undefined : notes.join('. ')}>
      {capitalized(reasonText(reason))}
    </span>
  );
}

function CalledMark({
  of: { called_at, called_by },
  zone,
}: {
  readonly of: NonNullable<ToBeCalled['called']>;
  readonly zone: string;
}) {
  return (
    <span class="pill" title={called_by === null ? undefined : `by ${called_by}`}>
      <Icon name="check" /> Called <Instant at={called_at} zone={zone} precision="time" />
    </span>
  );
}

function Reach({ of }: { readonly of: ToBeCalled }) {
  const { phone } = of;
  if (phone === null) return <span class="pill">No phone</span>;
  const name = nameOf(of);
  return (
    <>
      <a class="button small" href={`tel:${phone}`} title={phoneText(phone)} aria-label={`Call ${name}`}>
        Call
      </a>
      <a class="button small" href={`sms:${phone}`} aria-label={`Text ${name}`}>
        Text
      </a>
    </>
  );
}

function Acts({ of, acts }: Pick<CallRowProps, 'of'> & { readonly acts: NonNullable<CallRowProps['acts']> }) {
  const path = `${tenantPath(of.tenant_id)}/called`;
  const back = Object.entries(acts).filter(([, value]) => value !== undefined);
  const name = nameOf(of);
  return (
    <>
      <a
        class="button small"
        href={withQuery(unitPath(of.unit_id), { do: 'let-in' })}
        aria-label={`Let in ${of.unit_name}`}
      >
        Let in
      </a>
      <form method="post" action={of.called === null ? path : `${path}/undo`}>
        {back.map(([field, value]) => (
          <input key={field} type="hidden" name={field} value={value} />
        ))}
        <button
          class="button small"
          aria-label={of.called === null ? `Called ${name}` : `Not called: ${name}`}
        >
          {of.called === null ? 'Called' : 'Not called'}
        </button>
      </form>
    </>
  );
}
