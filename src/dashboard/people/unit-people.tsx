import type { ComponentChild } from 'preact';
import type { UnitPeople } from '#api/operator/index.js';
import { passesPath, passPath, tenantPath } from '../links/paths.js';
import { addPath } from '../parts/drawer.js';
import { initialsOf } from '../parts/initials.js';
import { Empty, None, Table } from '../parts/layout.js';
import { PhoneLink } from '../parts/tenant-links.js';
import { Instant } from '../parts/times.js';
import { withQuery } from '../links/with-query.js';
import { shownStateOf, type ShownState } from '../parts/states.js';
import { REASON_TEXTS } from '../passes/pass-words.js';

type Person = UnitPeople['people'][number];
type Kind = Person['kind'];

interface UnitPeopleProps {
  readonly of: UnitPeople;
  readonly location: { readonly id: string; readonly timezone: string };
  readonly mayChange: boolean;
  /** The button that shares the unit. */
  readonly share: ComponentChild;
  /** The buttons for somebody who shares the unit. */
  readonly shareActs: (tenant_id: string) => ComponentChild;
}

/** Who may open the unit now, who may soon, and who holds a key that still opens. */
export function UnitPeopleCard({ of, location, mayChange, share, shareActs }: UnitPeopleProps) {
  const { people, unit_id, state, reason, has_lock } = of;
  const shown = shownStateOf({ state, reason });
  const zone = location.timezone;
  return (
    <section class="card bare" id="people" aria-labelledby="people-head">
      <div class="card-head">
        <h2 id="people-head">People</h2>
        <span class="count">{people.length}</span>
        {mayChange ? (
          <div class="acts end">
            {share}
            {takesPasses(of) ? (
              <a
                class="button small"
                href={withQuery(addPath(passesPath(location.id), 'pass'), { unit: unit_id })}
              >
                Give a pass
              </a>
            ) : null}
          </div>
        ) : null}
      </div>
      {people.length === 0 ? (
        <div class="card-body">
          <Empty>Nobody may open it, and no key that was given out still works.</Empty>
        </div>
      ) : (
        <Table
          caption="Who may open it"
          head={['Name', 'Phone', 'Ends', 'Key', 'Acts']}
          fits={{ Phone: 'roomy', Acts: 'acts' }}
          rows={people.map((person) => ({
            key: keyOf(person),
            cells: [
              <Name of={person} />,
              <PhoneLink phone={person.phone} />,
              <End of={person} zone={zone} />,
              <Key of={person} {...{ shown, has_lock, zone }} />,
              mayChange && person.kind === 'share' ? shareActs(person.tenant_id) : null,
            ],
          }))}
        />
      )}
      <div class="card-foot">
        <span>Whoever shares a unit is locked out with it.</span>
      </div>
    </section>
  );
}

/** A pass opens no unit that somebody rents, unless it is in auction. */
function takesPasses({ people, state }: UnitPeople): boolean {
  return state === 'auction' || people.every(({ kind }) => kind !== 'tenant');
}

function keyOf(person: Person): string {
  return `${person.kind} ${person.tenant_id} ${'pass_id' in person ? person.pass_id : ''}`;
}

const KIND_TEXTS: Readonly<Record<Exclude<Kind, 'pass'>, string>> = {
  tenant: 'Tenant',
  share: 'Shares the unit',
  invitation: 'Invited, has not accepted yet',
  locked_invitation: 'Invited, closed by five wrong codes',
  key_holder: 'May open no more, but holds a key',
};

function Name({ of: person }: { readonly of: Person }) {
  const name = person.name ?? 'No name';
  const href = person.kind === 'pass' ? passPath(person.pass_id) : tenantPath(person.tenant_id);
  const sub = person.kind === 'pass' ? `Pass: ${REASON_TEXTS[person.reason]}` : subOf(person);
  return (
    <span class="person">
      <span class="avatar" aria-hidden="true">
        {initialsOf(name)}
      </span>
      <span>
        <a href={href}>{name}</a>
        <span class="sub">{sub}</span>
      </span>
    </span>
  );
}

function subOf(person: Exclude<Person, { readonly kind: 'pass' }>): string {
  if (person.kind === 'share') return person.share_id === null ? 'Shared by staff' : 'Guest of the tenant';
  return KIND_TEXTS[person.kind];
}

function End({ of: person, zone }: { readonly of: Person; readonly zone: string }) {
  switch (person.kind) {
    case 'tenant':
    case 'key_holder':
    case 'locked_invitation':
      return <None />;
    case 'invitation':
      return (
        <>
          Invitation: <Instant at={person.accept_by} zone={zone} />
        </>
      );
    default:
      return <Instant at={person.until} zone={zone} none="none" />;
  }
}

interface KeyProps {
  readonly of: Person;
  /** Of the unit. */
  readonly shown: ShownState;
  readonly has_lock: boolean;
  readonly zone: string;
}

/** Whether the app gets a key now, and until when one that was given out opens. */
function Key({ of: person, shown, has_lock, zone }: KeyProps) {
  switch (person.kind) {
    case 'invitation':
    case 'locked_invitation':
      return <None />;
    case 'key_holder':
      return (
        <>
          Works until <Instant at={person.key_expires_at} zone={zone} />
        </>
      );
    default:
      return <KeyOfEntitled {...{ person, shown, has_lock, zone }} />;
  }
}

interface KeyOfEntitledProps extends Omit<KeyProps, 'of'> {
  readonly person: Extract<Person, { readonly opens: boolean }>;
}

function KeyOfEntitled({ person, shown, has_lock, zone }: KeyOfEntitledProps) {
  const { kind, opens, key_expires_at } = person;
  if (opens) return <>Opens</>;
  if (key_expires_at !== null)
    return (
      <>
        Given out before, works until <Instant at={key_expires_at} zone={zone} />
      </>
    );
  if (!has_lock && (kind === 'pass' || shown === 'tenant_permitted')) return <>None, no lock</>;
  return <>{kind === 'pass' ? 'None, not begun' : WHY_NONE[shown]}</>;
}

const WHY_NONE: Readonly<Record<ShownState, string>> = {
  tenant_denied: 'None, locked out',
  early: 'None, not moved in yet',
  auction: 'None, in auction',
  unrentable: 'None, not for rent',
  vacant: 'None, vacant',
  tenant_permitted: 'None',
};
