import type { ResultOf } from '#kernel/result-of.js';
import { GatePill } from '../hours/gate-state.js';
import { equipmentPath, gatePath, unitPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import type { Refused } from '../page/page.js';
import { ActionDialog } from '../parts/action-dialog.js';
import { Choices } from '../parts/choices.js';
import { addPath, Drawer, DrawerButton } from '../parts/drawer.js';
import { Field, Form, TextLines } from '../parts/form.js';
import { Icon, type IconName } from '../parts/icon.js';
import { Empty, Facts, None } from '../parts/layout.js';
import { MenuButton, PageMenu } from '../parts/more-menu.js';
import { PageSteps } from '../parts/page-steps.js';
import { Mark } from '../parts/states.js';
import { countText } from '../parts/words.js';
import { UnitTile } from '../site/site-map-view.js';
import type { EquipmentItemReader } from './equipment-item.reader.js';

export type ZoneParts = ResultOf<EquipmentItemReader['readZone']>;

interface ZoneProps {
  readonly zone: { readonly zone_id: string; readonly location_id: string; readonly name: string };
  readonly parts: ZoneParts;
  /** The page's address. */
  readonly path: string;
  readonly timezone: string;
  /** False also for a zone that was removed. */
  readonly mayChange: boolean;
  readonly refused: Refused | undefined;
}

/** `80 units, 8 locked out` */
export function zoneText({ unit_count, locked_out = 0 }: ZoneParts): string {
  const counted = countText(unit_count, 'unit');
  return locked_out === 0 ? counted : `${counted}, ${locked_out.toLocaleString('en-US')} locked out`;
}

export function ZoneActs({ zone: { name }, parts }: Pick<ZoneProps, 'zone' | 'parts'>) {
  return (
    <>
      <PageMenu id="zone" of={name}>
        <MenuButton icon="pencil" form="name">
          Rename…
        </MenuButton>
        <MenuButton icon="barrier-block" form="gates" opens="drawer">
          Gates that lead here…
        </MenuButton>
        {membersOf(parts) === 0 ? null : (
          <MenuButton icon="x" form="take-out" opens="drawer">
            Take units out…
          </MenuButton>
        )}
        <hr />
        <MenuButton icon="trash" form="remove" tone="danger">
          Remove…
        </MenuButton>
      </PageMenu>
      <DrawerButton form="units">Add units</DrawerButton>
    </>
  );
}

const membersOf = ({ unit_count, retired_count }: ZoneParts) => unit_count + retired_count;

/** The units of a zone as tiles, the gates that open for their tenants, and what its locks need. */
export function ZoneView(props: ZoneProps) {
  const { zone, parts, timezone, mayChange } = props;
  return (
    <>
      <div class="split">
        <Units {...props} />
        <div class="stack">
          <Gates parts={parts} timezone={timezone} mayChange={mayChange} />
          <Locks parts={parts} location_id={zone.location_id} />
        </div>
      </div>
      {mayChange ? <Forms {...props} /> : null}
    </>
  );
}

function Units({ parts, path }: ZoneProps) {
  const { units, unit_count, retired_count, page, pages } = parts;
  return (
    <section class="card bare" aria-labelledby="units-head">
      <div class="card-head">
        <h2 id="units-head">Units</h2>
        <span class="count">{unit_count.toLocaleString('en-US')}</span>
      </div>
      <div class="card-body">
        {units.length === 0 ? (
          <Empty>No unit is in it. Its gates open for nobody.</Empty>
        ) : (
          <div data-map>
            <ul class="map">
              {units.map((unit) => (
                <li key={unit.unit_id}>
                  <UnitTile unit={unit} href={unitPath(unit.unit_id)} />
                </li>
              ))}
            </ul>
          </div>
        )}
        {retired_count === 0 ? null : (
          <p class="soft small">And {countText(retired_count, 'unit')} that no list shows any more.</p>
        )}
      </div>
      {pages === 1 ? null : (
        <div class="card-foot">
          <span>
            Page {page} of {pages}, by name
          </span>
          <PageSteps {...{ page, pages }} pathOf={(to) => withQuery(path, { page: to })} />
        </div>
      )}
    </section>
  );
}

const ICONS: Readonly<Record<ZoneParts['entry_points'][number]['kind'], IconName>> = {
  gate: 'barrier-block',
  door: 'door',
  elevator: 'elevator',
};

const leadingOf = ({ entry_points }: ZoneParts) => entry_points.filter(({ leadsHere }) => leadsHere);

function Gates({ parts, timezone, mayChange }: Pick<ZoneProps, 'parts' | 'timezone' | 'mayChange'>) {
  const leading = leadingOf(parts);
  return (
    <section class="card bare" aria-labelledby="gates-head">
      <div class="card-head">
        <h2 id="gates-head">Gates that lead here</h2>
        {mayChange ? (
          <button class="button ghost small end" type="button" popovertarget="drawer-gates">
            Change<span class="unseen"> the gates that lead here</span>
          </button>
        ) : null}
      </div>
      {leading.length === 0 ? (
        <div class="card-body">
          <p>
            <Mark tone="warn">No gate leads here.</Mark> Its units open no gate.
          </p>
        </div>
      ) : (
        <ul class="entries">
          {leading.map((gate) => (
            <li key={gate.entry_point_id}>
              <Icon name={ICONS[gate.kind]} />
              <span class="what">
                <a href={gatePath(gate.entry_point_id)}>{gate.name}</a>
              </span>
              <GatePill gate={gate} zone={timezone} now={parts.now} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Locks({ parts, location_id }: { readonly parts: ZoneParts; readonly location_id: string }) {
  const { unit_count, retired_count, locks } = parts;
  const path = equipmentPath(location_id);
  const needing = (count: number, need: string) =>
    count === 0 ? <None>–</None> : <a href={withQuery(path, { need })}>{count.toLocaleString('en-US')}</a>;
  return (
    <section class="card" aria-labelledby="locks-head">
      <h2 id="locks-head">Locks</h2>
      <Facts
        of={[
          ['Units with a lock', `${locks.units_with_lock} of ${unit_count + retired_count}`],
          ['Battery low', needing(locks.low, 'battery')],
          ['Silent for a day', needing(locks.silent, 'silent')],
        ]}
      />
    </section>
  );
}

const NAMES_HINT = 'Names with commas, or from and to: A181 to A190, A195.';

function Forms({ zone, parts, path, refused }: ZoneProps) {
  const { name } = zone;
  const gates = parts.entry_points.map((gate) => [gate.entry_point_id, gate.name] as const);
  return (
    <>
      <ActionDialog form="name" label={`Rename ${name}`} refused={refused} hasButton={false}>
        <Form name="name" action={`${path}/name`} submit="Rename" refused={refused}>
          <Field name="name" label="Name" value={name} required maxLength={255} autofocus />
        </Form>
      </ActionDialog>
      <ActionDialog form="remove" label={`Remove ${name}?`} refused={refused} hasButton={false}>
        <Removal parts={parts} path={path} refused={refused} />
      </ActionDialog>
      <Drawer form="units" title={`Add units to ${name}`} path={path} refused={refused}>
        <Form name="units" action={`${path}/units`} submit="Add units" refused={refused}>
          <TextLines name="units" label="Units" hint={NAMES_HINT} autofocus />
        </Form>
      </Drawer>
      {membersOf(parts) === 0 ? null : (
        <Drawer
          form="take-out"
          title={`Take units out of ${name}`}
          hint="The units stay. Gates that lead here open for their tenants no more, unless another of their zones has them."
          path={path}
          refused={refused}
        >
          <Form name="take-out" action={`${path}/units/take-out`} submit="Take out" refused={refused}>
            <TextLines name="units" label="Units" hint={NAMES_HINT} autofocus />
          </Form>
        </Drawer>
      )}
      <Drawer form="gates" title="Gates that lead here" path={path} refused={refused}>
        {gates.length === 0 ? (
          <p>
            This site has no gate yet.{' '}
            <a href={addPath(equipmentPath(zone.location_id, 'gates'), 'entry-point')}>Add one</a>
          </p>
        ) : (
          <Form name="gates" action={`${path}/gates`} submit="Save" refused={refused} withInitial>
            <Choices
              name="entry_point_ids"
              legend="Gates, doors and elevators"
              options={gates}
              chosen={leadingOf(parts).map(({ entry_point_id }) => entry_point_id)}
              autofocus
            />
          </Form>
        )}
      </Drawer>
    </>
  );
}

/** The service removes no zone of which somebody's access hangs. */
function Removal({ parts, path, refused }: Pick<ZoneProps, 'parts' | 'path' | 'refused'>) {
  const members = membersOf(parts);
  const gates = leadingOf(parts).map(({ name }) => name);
  if (members === 0 && gates.length === 0)
    return (
      <>
        <p>The history keeps the zone.</p>
        <Form name="remove" action={`${path}/remove`} submit="Remove zone" tone="danger" refused={refused} />
      </>
    );
  const first = [
    members === 0 ? [] : `take its ${countText(members, 'unit')} out`,
    gates.length === 0 ? [] : `lead ${new Intl.ListFormat('en').format(gates)} elsewhere`,
  ].flat();
  return <p>Nobody shall lose access by it: first {first.join(' and ')}. The same menu does that.</p>;
}
