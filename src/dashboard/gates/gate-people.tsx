import type { ComponentChild } from 'preact';
import type { EntryPointHistoryReads } from '#api/history/index.js';
import type { EntryPointPeople } from '#api/operator/index.js';
import { gatePath, tenantPath } from '../links/paths.js';
import { Empty, NextPage, None, Section, Table } from '../parts/layout.js';
import { REASON_TEXTS } from '../passes/pass-words.js';
import { Mark, StateMark } from '../parts/states.js';
import { Recent } from '../parts/times.js';
import { UnitLink } from '../parts/unit-link.js';

type PeopleThen = Awaited<ReturnType<EntryPointHistoryReads['readAsOf']>>;

/** Somebody who may be let through, now or at an instant: by a unit, by a pass, or by a key from before. */
export type PersonAtGate = EntryPointPeople['people'][number] | PeopleThen['people'][number];

interface GatePeopleProps {
  readonly people: readonly PersonAtGate[];
  readonly next_cursor: string | null;
  /** Whether the list has no other page. */
  readonly isWhole: boolean;
  /** This page's address, for its next one. */
  readonly path: string;
  readonly zone: string;
  /** Milliseconds. */
  readonly now: number;
}

/** Who may open a gate now, and whose key still opens it. */
export function GatePeople({ people, next_cursor, isWhole, path, zone, now }: GatePeopleProps) {
  return (
    <Section title="Who may open it now">
      <PeopleTable {...{ people, zone, now }} caption="Who may open it now" when="now" isWhole={isWhole} />
      <NextPage path={path} cursor={next_cursor} />
      <p class="hint">
        Holders of passes and of keys come first, then tenants and those with whom they share, by unit. A key
        already given out opens a gate without a network until it expires.
      </p>
    </Section>
  );
}

interface PeopleTableProps extends Pick<GatePeopleProps, 'people' | 'zone' | 'now'> {
  readonly caption: string;
  /** Keys of a past instant are not known. */
  readonly when: 'now' | 'then';
  /** Whether the list has no other page. */
  readonly isWhole: boolean;
}

export function PeopleTable({ people, zone, now, caption, when, isWhole }: PeopleTableProps) {
  if (people.length === 0)
    return <Empty>{isWhole ? 'Nobody: no unit that is let is in its zones.' : 'Nobody on this page.'}</Empty>;
  const rows = people.map((one, index) => ({
    key: String(index),
    cells: [
      <a href={tenantPath(one.tenant_id)}>{one.name ?? 'tenant'}</a>,
      <RightOf person={one} {...{ zone, now }} />,
      <GateDecision person={one} {...{ zone, now }} />,
      ...(when === 'now' ? [<KeyUntil person={one} {...{ zone, now }} />] : []),
    ],
  }));
  const head = when === 'now' ? ['Who', 'By', 'Now', 'Has a key until'] : ['Who', 'By', 'Then'];
  return <Table caption={caption} head={head} rows={rows} />;
}

interface PersonProps {
  readonly person: PersonAtGate;
  readonly zone: string;
  readonly now: number;
}

function RightOf({ person, zone, now }: PersonProps): ComponentChild {
  switch (person.kind) {
    case 'tenant':
      return (
        <>
          Rents <UnitLink unit={person} />
        </>
      );
    case 'share':
      return (
        <>
          Shares <UnitLink unit={person} />
          {person.until === null ? null : (
            <>
              {' '}
              until <Recent at={person.until} {...{ zone, now }} />
            </>
          )}
        </>
      );
    case 'pass':
      return (
        <>
          Pass, {REASON_TEXTS[person.reason]}, until <Recent at={person.until} {...{ zone, now }} />
        </>
      );
    case 'key_holder':
      return 'A key from before, without a right';
  }
}

function GateDecision({ person, zone, now }: PersonProps): ComponentChild {
  if (person.kind === 'key_holder') return <Mark tone="warn">Gets no new key</Mark>;
  switch (person.denial) {
    case null:
      return <Mark tone="good">Opens</Mark>;
    case 'out_of_service':
      return 'Out of service';
    case 'units_denied':
      return person.kind === 'pass' ? 'Denied' : <StateMark {...person.access} />;
    case 'not_begun':
    case 'outside_hours':
      return (
        <>
          {person.denial === 'not_begun' ? 'Not begun' : 'Outside of hours'}
          {person.opens_at === null ? null : (
            <>
              , opens <Recent at={person.opens_at} {...{ zone, now }} />
            </>
          )}
        </>
      );
  }
}

function KeyUntil({ person, zone, now }: PersonProps) {
  const key_expires_at = 'key_expires_at' in person ? person.key_expires_at : null;
  return key_expires_at === null ? <None /> : <Recent at={key_expires_at} {...{ zone, now }} />;
}

/** The tab's address. */
export function peoplePath(entry_point_id: string): string {
  return `${gatePath(entry_point_id)}/people`;
}
