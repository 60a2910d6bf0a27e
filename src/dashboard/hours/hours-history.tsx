import type { LoggedHours } from '#domain/history/index.js';
import { hoursChanges } from '#domain/locations/index.js';
import { gatePath } from '../links/paths.js';
import type { NamesById } from '../names/thing-names.js';
import { staffName } from '../parts/labels.js';
import { EmptyState } from '../parts/empty-state.js';
import { Section, Table } from '../parts/layout.js';
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
        <EmptyState icon="history" title="No changes yet">
          Who changes the hours of the site or of a gate is listed here.
        </EmptyState>
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
              staffName(change.actor),
            ],
          }))}
        />
      )}
    </Section>
  );
}

function Changed({ change, names }: { readonly change: LoggedHours; readonly names: NamesById }) {
  if (change.kind === 'location') return <>The site</>;
  const { entry_point_id } = change;
  return <a href={gatePath(entry_point_id)}>{names.get(entry_point_id) ?? entry_point_id}</a>;
}

function textOf(change: LoggedHours): string {
  if (change.kind === 'entry_point') return gateHoursText(change.to);
  const changes = hoursChanges(change.from, change.to);
  return changes.length === 0 ? 'Saved without a change' : changesText(changes);
}
