import type { LoggedHours } from '#domain/history/index.js';
import { hoursChanges } from '#domain/locations/index.js';
import { gatePath } from '../links/paths.js';
import type { NamesById } from '../names/thing-names.js';
import { actorName } from '../parts/labels.js';
import { Empty, Section, Table } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import { changesText, gateHoursText } from './hours-texts.js';

/** So many of the newest changes are listed. */
export const LISTED_CHANGES = 20;

interface HoursHistoryProps {
  /** Newest first. */
  readonly changes: readonly LoggedHours[];
  /** Of the entry points, by id. */
  readonly names: NamesById;
  readonly zone: string;
}

/** Who changed the hours of a location and its gates, when, and from what to what. */
export function HoursHistory({ changes, names, zone }: HoursHistoryProps) {
  return (
    <Section title="Changes of the hours">
      {changes.length === 0 ? (
        <Empty>None.</Empty>
      ) : (
        <Table
          caption="Changes of the hours, newest first"
          head={['When', 'Of', 'Change', 'By']}
          rows={changes.map((change) => ({
            key: String(change.revision),
            cells: [
              <Instant key="when" at={change.occurred_at} zone={zone} />,
              <Changed key="of" {...{ change, names }} />,
              textOf(change),
              actorName(change.actor),
            ],
          }))}
        />
      )}
    </Section>
  );
}

function Changed({ change, names }: { readonly change: LoggedHours; readonly names: NamesById }) {
  if (change.kind === 'location') return <>The location</>;
  const { entry_point_id } = change;
  return <a href={gatePath(entry_point_id)}>{names.get(entry_point_id) ?? entry_point_id}</a>;
}

function textOf(change: LoggedHours): string {
  return change.kind === 'location'
    ? changesText(hoursChanges(change.from, change.to))
    : gateHoursText(change.to);
}
