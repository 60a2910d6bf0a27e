import type { PassReads, ShownPass } from '#api/operator/index.js';
import { passesPath, passPath } from '../links/paths.js';
import { None } from '../parts/layout.js';
import { type Column, listPage } from '../parts/list-page.js';
import { PhoneLink } from '../parts/tenant-links.js';
import { Instant } from '../parts/times.js';
import { openedUnits } from './pass-form.js';
import { REASON_TEXTS, STANDING_TEXTS } from './pass-words.js';

/** Which passes a list shows. */
export type PassFilter = 'present' | 'ended';

interface ListedPasses {
  readonly location_id: string;
  readonly filter: PassFilter;
  readonly zone: string;
}

/** The passes of a location in pages, those that end last first. */
export function passList(reads: PassReads, { location_id, filter, zone }: ListedPasses) {
  const path = passesPath(location_id);
  return listPage({
    caption: 'Passes',
    name: 'passes',
    path,
    file: `${path}.csv`,
    query: filter === 'ended' ? { standing: filter } : {},
    columns: columnsIn(zone),
    keyOf: ({ pass_id }) => pass_id,
    read: async (range) => {
      const { passes, next_cursor } = await reads.listOfLocation(location_id, { ...range, standing: filter });
      return { rows: passes, next_cursor };
    },
    empty:
      filter === 'ended'
        ? 'No pass has ended yet.'
        : 'No pass. Give one to somebody who rents nothing: a vendor, an inspector, a buyer at an auction.',
  });
}

function columnsIn(zone: string): readonly Column<ShownPass>[] {
  return [
    { name: 'pass_id' },
    {
      title: 'Name',
      cell: ({ pass_id, name }) => <a href={passPath(pass_id)}>{name ?? 'Erased'}</a>,
      name: 'name',
    },
    { title: 'Phone', name: 'phone', cell: ({ phone }) => <PhoneLink phone={phone} /> },
    { title: 'For', name: 'reason', cell: ({ reason }) => REASON_TEXTS[reason] },
    { title: 'Opens', cell: (pass) => <Opens of={pass} /> },
    { title: 'From', name: 'from', cell: ({ from }) => <Instant at={from} zone={zone} /> },
    {
      title: 'Ends',
      name: 'until',
      cell: ({ ended_at, until }) => <Instant at={ended_at ?? until} zone={zone} />,
    },
    { name: 'ended_at' },
    {
      title: 'Standing',
      name: 'standing',
      cell: ({ standing }) => <span class="pill">{STANDING_TEXTS[standing]}</span>,
    },
  ];
}

/** What a pass opens, by name. */
export function openedNames(pass: ShownPass): readonly string[] {
  return [
    ...pass.entry_points.map(({ name }) => name ?? 'a gate that is gone'),
    ...openedUnits(pass).map(({ unit_name }) => unit_name),
  ];
}

function Opens({ of: pass }: { readonly of: ShownPass }) {
  const names = openedNames(pass);
  return names.length === 0 ? <None>nothing any more</None> : <>{names.join(', ')}</>;
}
