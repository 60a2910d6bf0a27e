import type { ResultOf } from '#kernel/result-of.js';
import type { LocationAdministration } from '#api/operator/index.js';
import { type FormValues, lastOf } from '../page/page.js';
import type { NamesById } from '../names/thing-names.js';
import { Section, Table } from '../parts/layout.js';
import { StateMark } from '../parts/states.js';
import { amountText, countText } from '../parts/words.js';
import { UnitLink } from '../parts/unit-link.js';
import { type Location, SETTINGS } from './policy-form.js';
import { tenantPath } from '../links/paths.js';

type Effect = ResultOf<LocationAdministration['changeLocation']>['effect'];

interface PolicyPreviewProps {
  readonly path: string;
  readonly before: Location;
  readonly after: Location;
  readonly effect: Effect;
  readonly tenants: NamesById;
  /** The form that asks for it, to be sent again. */
  readonly values: FormValues;
  /** The effect that the sender was shown before, if it has changed since. */
  readonly overtaken: string | undefined;
}

/** `locks 3 units, opens 0` */
export function effectText({ locked, opened }: Pick<Effect, 'locked' | 'opened'>): string {
  return `locks ${countText(locked, 'unit')}, opens ${opened.toLocaleString('en-US')}`;
}

/** A policy that is not saved yet: its settings, the units that it locks or opens, and a button that applies it. */
export function PolicyPreview(props: PolicyPreviewProps) {
  const { path, before, after, effect, values, overtaken } = props;
  const settings = Object.entries(SETTINGS).flatMap(([key, { label, text }]) => {
    const from = text(before);
    const to = text(after);
    return from === to ? [] : [{ key, cells: [label, from, to] }];
  });
  return (
    <Section title="Preview: not saved yet">
      {overtaken === undefined ? null : (
        <p class="warning" role="alert">
          Not saved: units have changed since the preview, which said “{overtaken}”. Look again.
        </p>
      )}
      <p class="sentence" role="status">
        {sentence(effect)}
      </p>
      <ApplyPolicy {...{ path, effect, values }} />
      <Table caption="Settings that change" head={['Setting', 'Now', 'New']} rows={settings} />
      <Flips {...props} />
    </Section>
  );
}

/** Applies a policy, as long as it still has this effect. */
export function ApplyPolicy({
  path,
  effect,
  values,
}: Pick<PolicyPreviewProps, 'path' | 'effect' | 'values'>) {
  return (
    <form class="form" method="post" action={path} id="form-apply">
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={lastOf(value)} />
      ))}
      <input type="hidden" name="locked" value={effect.locked} />
      <input type="hidden" name="opened" value={effect.opened} />
      <div class="acts">
        <button class="primary">Apply: {effectText(effect)}</button>
        <a class="button" href={path}>
          Discard
        </a>
        <span class="hint">Takes effect immediately.</span>
      </div>
    </form>
  );
}

function sentence({ locked, opened, tenants }: Effect): string {
  if (locked + opened === 0) return 'No unit is locked or opened by it today.';
  const parts = [
    ...(locked > 0 ? [`locks ${countText(locked, 'unit')}`] : []),
    ...(opened > 0 ? [`opens ${countText(opened, 'unit')}`] : []),
  ];
  return `It ${parts.join(' and ')} of ${countText(tenants, 'tenant')}, at once.`;
}

function Flips({ effect: { changes, locked, opened }, tenants, before }: PolicyPreviewProps) {
  if (changes.length === 0) return null;
  const rows = changes.map(({ unit_id, unit_name, tenant_id, balance_due, from, to }) => ({
    key: unit_id,
    cells: [
      <a href={tenantPath(tenant_id)}>{tenants.get(tenant_id) ?? 'Unknown'}</a>,
      <UnitLink unit={{ unit_id, unit_name }} />,
      amountText(balance_due, before.currency),
      <StateMark {...from} />,
      <StateMark {...to} />,
    ],
  }));
  return (
    <>
      <Table caption="Tenants concerned" head={['Tenant', 'Unit', 'Owes', 'Now', 'With it']} rows={rows} />
      {changes.length < locked + opened ? (
        <p class="hint">The {changes.length.toLocaleString('en-US')} that owe the most.</p>
      ) : null}
    </>
  );
}
