import { gatePath, tenantPath } from '../links/paths.js';
import type { ActivityEntry } from '#domain/history/index.js';
import type { EntryPoint } from '#domain/locations/index.js';
import type { RentedUnits } from '#api/operator/index.js';
import type { Refused } from '../page/page.js';
import type { NamesById } from '../names/thing-names.js';
import { Field, Form } from '../parts/form.js';
import { Happened, reportedInstant } from '../parts/happened.js';
import { Empty, Section, Table, Tabs } from '../parts/layout.js';
import { Mark } from '../parts/states.js';
import { withQuery } from '../links/with-query.js';
import { countText, instantText } from '../parts/words.js';
import { TapLegend } from '../pictures/tap-mark.js';
import { TenantUnits } from '../lists/tenant-columns.js';
import { activityText, type TapKind, tapKind } from '../activity/activity-text.js';
import type { UnitReport } from '../activity/named-entries.js';
import { TapResult } from '../activity/tap-result.js';
import { GateHeat, GateLanes } from './gate-lanes.js';
import type { AskedRange, GateRange } from './gate-range.js';
import { heatOf, lanesOf, localTime } from './gate-times.js';
import type { LaneKind, LaneTap } from './lane-marks.js';

interface GateViewProps {
  readonly gate: EntryPoint;
  readonly range: AskedRange;
  readonly night: GateRange;
  readonly zone: string;
  /** Newest first. */
  readonly entries: readonly ActivityEntry[];
  /** Older reports of the range were left out. */
  readonly isCut: boolean;
  readonly names: NamesById;
  /** The newest of them, with the units that each tenant rents now. */
  readonly taps: readonly (UnitReport & RentedUnits)[];
  /** The form of the range. */
  readonly refused: Refused | undefined;
}

/** Fewer nights get no picture by weekday. */
const WEEK = 7;

export function GateView({ gate, range, night, zone, entries, isCut, names, taps, refused }: GateViewProps) {
  const path = gatePath(gate.entry_point_id);
  const nightPath = withQuery(path, { ...night });
  const { from, to } = range;
  const happened = entries.map((one) => {
    const time = localTime(reportedInstant(one), zone);
    return {
      time,
      result: one.result,
      one: { id: one.log_id, kind: laneKind(one), text: textOf(one, zone, names) },
    };
  });
  const lanes = lanesOf<LaneTap>(localTime(range.first, zone), localTime(range.last, zone), happened);
  const count = (kind: TapKind) => entries.filter((one) => tapKind(one) === kind).length;
  const alarms = count('alarm');
  const opened = entries.filter((one) => one.event === 'unlock' && one.result === 'success').length;
  const outside = entries.filter((one) => laneKind(one) === 'outside').length;
  return (
    <>
      <Section title="Who opened it when">
        <Tabs
          kind="segments"
          label="Times"
          of={[
            [path, 'Last 7 days'],
            [nightPath, 'Last night'],
          ]}
          current={range.isUsual ? path : withQuery(path, { from, to })}
        />
        <p class="sentence">
          {countText(opened, 'opening')}, {count('refused').toLocaleString('en-US')} denied,{' '}
          {count('failed').toLocaleString('en-US')} failed.
          {alarms === 0 ? null : (
            <>
              {' '}
              <Mark tone="bad">{alarms.toLocaleString('en-US')} while locked out</Mark>
            </>
          )}
          {outside === 0 ? null : (
            <>
              {' '}
              <Mark tone="warn">{outside.toLocaleString('en-US')} outside of hours</Mark>
            </>
          )}
          {isCut ? ' Only the newest 2,000 reports are shown: choose a shorter time.' : ''}
        </p>
        <GateLanes lanes={lanes} />
        <p class="hint">
          <TapLegend withOutside={outside > 0} />
        </p>
        <Form name="dates" action={path} method="get" submit="Show" tone="quiet" refused={refused}>
          <div class="day-fields">
            <Field name="from" label="From" type="datetime-local" value={from} />
            <Field name="to" label="To" type="datetime-local" value={to} />
          </div>
        </Form>
      </Section>
      {lanes.length < WEEK || opened === 0 ? null : (
        <Section title="Busy hours">
          <GateHeat
            heat={heatOf(happened.filter(({ result }) => result === 'success').map(({ time }) => time))}
          />
        </Section>
      )}
      <Section title="Taps of these days">
        <Taps {...{ taps, zone, names, path }} total={entries.length} />
      </Section>
    </>
  );
}

type TapsProps = Pick<GateViewProps, 'taps' | 'zone' | 'names'> & {
  readonly total: number;
  /** The gate's. */
  readonly path: string;
};

function Taps({ taps, zone, names, total, path }: TapsProps) {
  if (total === 0) return <Empty>Nobody tapped here then.</Empty>;
  const rows = taps.map((one) => ({
    key: one.log_id,
    cells: [
      <Happened of={one} zone={zone} />,
      <a href={tenantPath(one.tenant_id)}>{nameOf(one, names)}</a>,
      <TenantUnits of={one} />,
      <TapResult of={one} />,
    ],
  }));
  return (
    <>
      <Table caption="Taps, newest first" head={['When', 'Tenant', 'Units now', 'Result']} rows={rows} />
      {total > taps.length ? (
        <p class="hint">
          The newest {taps.length} of {total}. <a href={`${path}/log`}>All taps, page by page</a>
        </p>
      ) : null}
    </>
  );
}

function nameOf({ tenant_id }: ActivityEntry, names: NamesById): string {
  return names.get(tenant_id) ?? 'tenant';
}

/** An opening by a tenant who was denied is an alarm, also outside of hours. */
function laneKind(one: ActivityEntry): LaneKind {
  const kind = tapKind(one);
  return kind === 'opened' && one.outside_hours === true ? 'outside' : kind;
}

function textOf(one: ActivityEntry, zone: string, names: NamesById): string {
  return `${nameOf(one, names)}, ${instantText(reportedInstant(one), zone)}: ${activityText(one)}`;
}
