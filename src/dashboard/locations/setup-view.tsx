import type { SetupResult } from '#api/operator/index.js';
import type { Refused } from '../page/page.js';
import { Checkbox } from '../parts/choices.js';
import { Form, TextLines } from '../parts/form.js';
import { Section, Table } from '../parts/layout.js';
import { Mark } from '../parts/states.js';
import { countText } from '../parts/words.js';
import { UnitLink } from '../parts/unit-link.js';

type DoneRow = SetupResult['rows'][number];
type Change = DoneRow['changes'][number];

interface SetupFormProps {
  readonly path: string;
  readonly refused: Refused | undefined;
}

/** Takes the rows of a site; the next page shows what they will do. */
export function SetupForm({ path, refused }: SetupFormProps) {
  return (
    <Section title="Set up zones and locks">
      <Form name="setup" action={path} submit="Preview" refused={refused}>
        <p class="field" hidden>
          <label for="setup-file">CSV file</label>
          <input type="file" id="setup-file" accept=".csv,.tsv,.txt,text/csv" data-fills="setup-csv" />
        </p>
        <TextLines
          name="csv"
          label="Rows"
          rows={12}
          value={'unit,zone,lock,serial\n'}
          hint="Paste cells of a spreadsheet or CSV, at most 500 rows. The first line names the columns: unit, zone, lock, serial, round_the_clock. Only unit is needed, with one of the others. Missing zones and locks are made. With yes in round_the_clock, the unit’s people pass gates at any hour."
        />
        <Checkbox
          name="add_units"
          label="Add units that do not exist"
          hint="Where a PMS sends units, let it send them: it cannot change units added here. The preview warns of each."
        />
      </Form>
    </Section>
  );
}

interface SetupOutcomeProps {
  readonly result: SetupResult;
  /** The address of the location's gates. */
  readonly equipment: string;
  /** The rows, and where they are sent to be applied. Absent: they have been applied. */
  readonly apply?: { readonly path: string; readonly csv: string; readonly add_units: boolean };
}

/** The effect of rows, before or after they are applied. */
export function SetupRowsView({ result, equipment, apply }: SetupOutcomeProps) {
  const isPreview = apply !== undefined;
  return (
    <Section title={isPreview ? 'Preview: not saved yet' : 'Saved'}>
      <p class="sentence" role="status">
        {outcomeText(result, isPreview)}
      </p>
      <NewZones of={result.rows} isPreview={isPreview} />
      <Reasons
        title={isPreview ? 'Rows that cannot be applied' : 'Rows that were not applied'}
        of={result.errors.map(({ error, ...row }) => ({ ...row, reason: error }))}
      />
      <Reasons
        title={isPreview ? 'Check these rows before you apply' : 'Check these rows'}
        of={result.warnings.map(({ message, ...row }) => ({ ...row, reason: message }))}
      />
      <ClosedZones names={result.zones_without_entry_point} {...{ equipment, isPreview }} />
      {isPreview && result.changed > 0 ? (
        <form class="form" method="post" action={apply.path} id="form-setup-apply">
          <input type="hidden" name="csv" value={apply.csv} />
          <input type="hidden" name="add_units" value={String(apply.add_units)} />
          <input type="hidden" name="apply" value="true" />
          <button class="primary">Apply: set up {countText(result.changed, 'row')}</button>{' '}
          <a href={apply.path}>Discard</a>
        </form>
      ) : null}
      <Rows of={result.rows} isPreview={isPreview} />
    </Section>
  );
}

/** Longer lists are shut, so that the form below them is near. */
const OPEN_ROWS = 10;

function Rows({ of, isPreview }: NewZonesProps) {
  if (of.length === 0) return null;
  return (
    <details open={of.length <= OPEN_ROWS}>
      <summary>{countText(of.length, 'row')} one by one</summary>
      <Table
        caption="Rows, counted below the heading line"
        head={['Row', 'Unit', 'Zone', 'Lock', isPreview ? 'Will happen' : 'Done']}
        rows={of.map((row) => ({ key: String(row.row), cells: cellsOf(row, isPreview) }))}
      />
    </details>
  );
}

interface ClosedZonesProps {
  readonly names: readonly string[];
  readonly equipment: string;
  readonly isPreview: boolean;
}

function ClosedZones({ names, equipment, isPreview }: ClosedZonesProps) {
  if (names.length === 0) return null;
  return (
    <p>
      <Mark tone="warn">No gate leads to {names.join(', ')}.</Mark> Units there open no gate.{' '}
      {isPreview ? 'After applying, add' : 'Add'} a gate, or choose the zones of one, at{' '}
      <a href={equipment}>Equipment</a>.
    </p>
  );
}

interface NewZonesProps {
  readonly of: readonly DoneRow[];
  readonly isPreview: boolean;
}

/** A zone is rarely new, so a new one may be a name that is typed wrong. */
function NewZones({ of, isPreview }: NewZonesProps) {
  const names = of.flatMap(({ zone, changes }) => (changes.includes('zone_created') ? [zone] : []));
  if (names.length === 0) return null;
  return (
    <p>
      {isPreview ? 'Zones that will be new' : 'New zones'}: {names.join(', ')}.
    </p>
  );
}

const LIST = new Intl.ListFormat('en-US');

function outcomeText(
  { changed, unchanged, warnings, errors, units_created, zones_created, locks_created }: SetupResult,
  isPreview: boolean,
): string {
  const made = [
    ...(units_created > 0 ? [countText(units_created, 'new unit')] : []),
    ...(zones_created > 0 ? [countText(zones_created, 'new zone')] : []),
    ...(locks_created > 0 ? [countText(locks_created, 'new lock')] : []),
  ];
  const with_ = made.length === 0 ? '' : `, with ${LIST.format(made)}`;
  const doubtful = new Set(warnings.map(({ row }) => row)).size;
  const others = [
    ...(unchanged > 0 ? [`${countText(unchanged, 'row')} need${unchanged === 1 ? 's' : ''} nothing.`] : []),
    ...(errors.length > 0
      ? [`${countText(errors.length, 'row')} ${faultyText(errors.length, isPreview)}.`]
      : []),
    ...(doubtful > 0 ? [`Check ${countText(doubtful, 'row')}.`] : []),
  ];
  const first = isPreview
    ? `${countText(changed, 'row')} will be set up${with_}.`
    : `${countText(changed, 'row')} set up${with_}.`;
  return [first, ...others].join(' ');
}

function faultyText(rows: number, isPreview: boolean): string {
  if (isPreview) return 'cannot be applied';
  return rows === 1 ? 'was not applied' : 'were not applied';
}

interface ReasonsProps {
  readonly title: string;
  readonly of: readonly { readonly row: number; readonly unit: string; readonly reason: string }[];
}

/** Rows that are named for each reason. */
const MOST_NAMED = 5;

/** A reason of many rows is said once. */
function Reasons({ title, of }: ReasonsProps) {
  if (of.length === 0) return null;
  const reasons = [...new Set(of.map(({ reason }) => reason))];
  return (
    <>
      <h3>{title}</h3>
      <Table
        caption={`${title}, counted below the heading line`}
        head={['Row', 'Unit', 'Why']}
        rows={reasons.map((reason) => {
          const rows = of.filter((row) => row.reason === reason);
          const units = rows.map(({ unit }) => unit);
          return { key: reason, cells: [firstOf(rows.map(({ row }) => row)), firstOf(units), reason] };
        })}
      />
    </>
  );
}

function firstOf(all: readonly (string | number)[]): string {
  const named = all.filter((one) => one !== '');
  const more = named.length - MOST_NAMED;
  return named.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const CHANGE_TEXTS: Readonly<Record<Change, readonly [willBe: string, done: string]>> = {
  unit_created: ['adds the unit', 'unit added'],
  zone_created: ['makes the zone', 'zone made'],
  unit_zoned: ['puts the unit into the zone', 'unit put into the zone'],
  lock_created: ['makes the lock', 'lock made'],
  lock_attached: ['puts the lock on the unit', 'lock put on the unit'],
  round_the_clock_granted: ['lets its people in at any hour', 'people let in at any hour'],
  round_the_clock_ended: ['ends access at any hour', 'access at any hour ended'],
};

function cellsOf({ row, unit_id, unit_name, zone, lock, changes }: DoneRow, isPreview: boolean) {
  const texts = changes.map((change) => CHANGE_TEXTS[change][isPreview ? 0 : 1]);
  const same = [
    ...(zone !== null && !changes.includes('unit_zoned') ? ['is in the zone already'] : []),
    ...(lock !== null && !changes.includes('lock_attached') ? ['has the lock already'] : []),
  ];
  const done = texts.length === 0 ? 'nothing: it has all that' : [...texts, ...same].join(', ');
  const unit = unit_id === null ? unit_name : <UnitLink unit={{ unit_id, unit_name }} />;
  return [row, unit, zone, lock, done];
}
