import type { ComponentChildren } from 'preact';
import { Counted, Tabs } from '../parts/layout.js';
import { SandboxMark, shownClock } from '../parts/sandbox-mark.js';
import { isStandalone } from './sentence.js';
import type { UnitDetail } from './unit-detail.js';
import { unitPath } from '../links/paths.js';
import { Way } from './unit-parts.js';
import type { UnitCompany } from './unit-location.reader.js';

const UNIT_PARTS = [
  ['', 'Access'],
  ['/activity', 'Activity'],
  ['/history', 'History'],
  ['/setup', 'Set-up'],
] as const;

export type UnitPart = (typeof UNIT_PARTS)[number][0];

/** How many entries a part lists. */
export type PartCounts = Readonly<Partial<Record<UnitPart, string | undefined>>>;

interface UnitFrameProps {
  readonly unit: UnitDetail;
  readonly company: UnitCompany;
  readonly current: UnitPart;
  readonly counts: PartCounts;
  /** Content above the tabs. */
  readonly head?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The head and the tabs of a unit's pages. */
export function UnitFrame({ unit, company, current, counts, head, children }: UnitFrameProps) {
  return (
    <>
      <Way unit={unit} />
      <SandboxMark clock={shownClock(company.clock)} zone={unit.location.timezone} />
      <Retirement {...unit} />
      {head}
      <UnitTabs unit_id={unit.unit_id} current={current} counts={counts} />
      {children}
    </>
  );
}

interface UnitTabsProps {
  readonly unit_id: string;
  /** Absent on the page of an earlier instant: the tabs lead to the unit as it is now. */
  readonly current?: UnitPart;
  readonly counts?: PartCounts;
}

export function UnitTabs({ unit_id, current, counts = {} }: UnitTabsProps) {
  const path = unitPath(unit_id);
  return (
    <Tabs
      of={UNIT_PARTS.map(
        ([part, text]) => [`${path}${part}`, <Counted text={text} count={counts[part]} />] as const,
      )}
      current={current === undefined ? '' : `${path}${current}`}
      label={current === undefined ? 'Parts of this unit, as it is now' : 'Parts of this unit'}
    />
  );
}

/** The name of a unit's page in the title of the browser's tab. */
export function partTitle(current: UnitPart): string | undefined {
  return current === '' ? undefined : UNIT_PARTS.find(([part]) => part === current)![1];
}

function Retirement({ retired, source_type }: Pick<UnitDetail, 'retired' | 'source_type'>) {
  if (!retired) return null;
  const wayBack = isStandalone({ source_type }) ? '' : ' A write of its PMS brings it back.';
  return <p class="warning">Retired: lists and integrators do not see it.{wayBack}</p>;
}
