import type { ShownPassDetail } from '#api/operator/index.js';
import { gatePath, passPath, tenantPath, unitPath } from '../links/paths.js';
import type { Refused } from '../page/page.js';
import { ActionDialog } from '../parts/action-dialog.js';
import { Form } from '../parts/form.js';
import { Facts, None } from '../parts/layout.js';
import { PhoneLink } from '../parts/tenant-links.js';
import { Instant } from '../parts/times.js';
import { hoursOfPassText, REASON_TEXTS, STANDING_TEXTS } from './pass-words.js';

interface PassProps {
  readonly pass: ShownPassDetail;
  readonly zone: string;
}

/** Whom a pass is for, what it opens and when. */
export function PassTerms({ pass, zone }: PassProps) {
  const { name, phone, tenant_id, reason, standing, from, until, ended_at, issued_at, hours, note } = pass;
  return (
    <Facts
      of={[
        ['Standing', <span class="pill">{STANDING_TEXTS[standing]}</span>],
        ['Holder', <a href={tenantPath(tenant_id)}>{name ?? 'Erased'}</a>],
        ['Phone', <PhoneLink phone={phone} />],
        ['For', REASON_TEXTS[reason]],
        ['Gates', <Gates of={pass} />],
        ['Units', <Units of={pass} />],
        ['Hours', hoursOfPassText(hours)],
        ['From', <Instant at={from} zone={zone} />],
        ['Ends', <Instant at={until} zone={zone} />],
        ...(ended_at === null ? [] : [['Ended early', <Instant at={ended_at} zone={zone} />] as const]),
        ['Given', <Instant at={issued_at} zone={zone} />],
        ...(note === null ? [] : [['Note', note] as const]),
      ]}
    />
  );
}

function Gates({ of: { entry_points } }: { readonly of: ShownPassDetail }) {
  if (entry_points.length === 0) return <None />;
  return (
    <ul class="plain">
      {entry_points.map(({ entry_point_id, name }) => (
        <li key={entry_point_id}>
          <a href={gatePath(entry_point_id)}>{name ?? 'a gate that is gone'}</a>
        </li>
      ))}
    </ul>
  );
}

function Units({ of: { units } }: { readonly of: ShownPassDetail }) {
  if (units.length === 0) return <None />;
  return (
    <ul class="plain">
      {units.map(({ unit_id, unit_name, opens }) => (
        <li key={unit_id}>
          <a href={unitPath(unit_id)}>{unit_name}</a>
          {opens ? '' : ', no more: it was let or retired'}
        </li>
      ))}
    </ul>
  );
}

/** Keys given out that still open offline. */
export function PassKeys({ pass: { keys_outstanding }, zone }: PassProps) {
  if (keys_outstanding.length === 0) return null;
  return (
    <>
      <h3>Keys that still open</h3>
      <ul class="plain">
        {keys_outstanding.map(({ name, expires_at }) => (
          <li key={`${name} ${expires_at}`}>
            {name ?? 'a lock that is gone'} until <Instant at={expires_at} zone={zone} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface EndPassProps {
  readonly pass: ShownPassDetail;
  readonly refused: Refused | undefined;
}

export function EndPass({ pass: { pass_id }, refused }: EndPassProps) {
  return (
    <ActionDialog form="end-pass" label="End pass" refused={refused}>
      <p>They get no key any more. A key already given out opens an offline lock for an hour at most.</p>
      <Form
        name="end-pass"
        action={`${passPath(pass_id)}/end`}
        submit="End pass"
        refused={refused}
        tone="danger"
      />
    </ActionDialog>
  );
}
