import type { Today, TodayQuery } from '#api/operator/index.js';
import { tenantPath, unitPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import { CopyText } from '../parts/copy-button.js';
import { Icon } from '../parts/icon.js';
import { None } from '../parts/layout.js';
import { capitalized, reasonText } from '../parts/labels.js';
import { Instant, KNOWN_SINCE } from '../parts/times.js';
import { TEXTS_OPEN } from '../parts/tenant-links.js';
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
          <More of={of} acts={acts} />
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
  if (phone === null) return <span class="pill extra">No phone</span>;
  const name = nameOf(of);
  return (
    <>
      <a class="button small" href={`tel:${phone}`} title={phoneText(phone)} aria-label={`Call ${name}`}>
        <Icon name="phone" />
        <span class="extra-text">Call</span>
      </a>
      <a class="button small extra" href={`sms:${phone}`} title={TEXTS_OPEN} aria-label={`Text ${name}`}>
        Text
      </a>
      <CopyText text={phoneText(phone)} label={`Copy the number of ${name}`} kind="button small only extra" />
    </>
  );
}

type Acts = NonNullable<CallRowProps['acts']>;

function Acts({ of, acts }: Pick<CallRowProps, 'of'> & { readonly acts: Acts }) {
  return (
    <>
      <a class="button small extra" href={letInPath(of)} aria-label={`Let in ${of.unit_name}`}>
        Let in
      </a>
      <Called of={of} acts={acts} kind="button small extra" />
    </>
  );
}

const letInPath = ({ unit_id }: ToBeCalled) => withQuery(unitPath(unit_id), { do: 'let-in' });

interface CalledProps extends Pick<CallRowProps, 'of'> {
  readonly acts: Acts;
  /** The class of the button. */
  readonly kind: string;
}

function Called({ of, acts, kind }: CalledProps) {
  const path = `${tenantPath(of.tenant_id)}/called`;
  const back = Object.entries(acts).filter(([, value]) => value !== undefined);
  const name = nameOf(of);
  return (
    <form method="post" action={of.called === null ? path : `${path}/undo`}>
      {back.map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      <button class={kind} aria-label={of.called === null ? `Called ${name}` : `Not called: ${name}`}>
        {of.called === null ? 'Called' : 'Not called'}
      </button>
    </form>
  );
}

/** On a phone there is room for one act; the others are in a menu. */
function More({ of, acts }: Pick<CallRowProps, 'of' | 'acts'>) {
  const id = `more-${of.unit_id}`;
  const name = nameOf(of);
  if (of.phone === null && acts === undefined) return null;
  return (
    <>
      <button
        type="button"
        class="button ghost only small more-only"
        popovertarget={id}
        aria-label={`More for ${name}`}
      >
        <Icon name="dots" />
      </button>
      <div class="menu" id={id} popover="auto" role="group" aria-label={name}>
        {of.phone === null ? null : (
          <a href={`sms:${of.phone}`} title={TEXTS_OPEN}>
            <Icon name="message" />
            Text
          </a>
        )}
        {acts === undefined ? null : (
          <>
            <a href={letInPath(of)}>
              <Icon name="lock-open" />
              Let in
            </a>
            <Called of={of} acts={acts} kind="item" />
          </>
        )}
      </div>
    </>
  );
}
