import { OPERATOR_ROLES, type OperatorRole } from '#kernel/principals.js';
import { withQuery } from '../links/with-query.js';
import { inMemory } from '../parts/in-memory.js';
import { capitalized } from '../parts/labels.js';
import { Tabs } from '../parts/layout.js';
import { ExportCsv } from '../parts/list-card.js';
import { type Column, listPage } from '../parts/list-page.js';
import { Instant, Recent } from '../parts/times.js';
import { isInvited, type Operator, type Shown } from './listed-operator.js';
import { OperatorMenu } from './operator-menu.js';
import { Places } from './operator-scope.js';
import { OPERATORS_PATH } from './paths.js';
import { signInText } from './sign-in-text.js';

const GROUPS = ['all', ...[...OPERATOR_ROLES].reverse(), 'invited'] as const;
type Group = (typeof GROUPS)[number];

const TITLES: Readonly<Record<Group, string>> = {
  all: 'All',
  admin: 'Admins',
  manager: 'Managers',
  auditor: 'Auditors',
  invited: 'Invited',
};

export function groupOf(value: unknown): Group {
  return GROUPS.find((group) => group === value) ?? 'all';
}

function membersOf(group: Group, operators: readonly Operator[]): readonly Operator[] {
  if (group === 'all') return operators;
  if (group === 'invited') return operators.filter(isInvited);
  return operators.filter(({ role }) => role === group);
}

const FILE = `${OPERATORS_PATH}/operators.csv`;

/** Chooses the operators of a role, or those who have not come yet; and their file. */
export function Groups({ of, current }: { readonly of: readonly Operator[]; readonly current: Group }) {
  const path = (group: Group) => withQuery(OPERATORS_PATH, queryOf(group));
  const shown = GROUPS.filter((group) => group !== 'invited' || of.some(isInvited) || current === 'invited');
  return (
    <div class="bar">
      <Tabs
        kind="chips"
        label="Role"
        current={path(current)}
        of={shown.map((group) => [
          path(group),
          <>
            {TITLES[group]} <b>{membersOf(group, of).length}</b>
          </>,
        ])}
      />
      {membersOf(current, of).length === 0 ? null : <ExportCsv path={withQuery(FILE, queryOf(current))} />}
    </div>
  );
}

function queryOf(group: Group) {
  return { role: group === 'all' ? undefined : group };
}

export function operatorList(operators: readonly Operator[], group: Group, shown: Shown) {
  const keyOf = ({ operator_id }: Operator) => operator_id;
  return listPage({
    caption: 'Operators',
    name: 'operators',
    path: OPERATORS_PATH,
    file: FILE,
    hasFileLink: false,
    query: queryOf(group),
    columns: columnsOf(shown),
    keyOf,
    read: inMemory(membersOf(group, operators), keyOf),
    empty: group === 'invited' ? 'Everybody who was invited has come.' : 'No operator.',
  });
}

function columnsOf(shown: Shown): readonly Column<Operator>[] {
  const { offered, sign_on, zone, now } = shown;
  return [
    { name: 'operator_id' },
    { title: 'Operator', name: 'email', cell: (operator) => <Who of={operator} {...shown} /> },
    { title: 'Role', name: 'role', cell: ({ role }) => roleText(role) },
    {
      title: 'Sees',
      name: 'companies',
      value: ({ companies }) => companies?.join(' ') ?? 'all',
      cell: (operator) => <Places of={operator} offered={offered} />,
    },
    { name: 'locations', value: ({ locations }) => locations?.join(' ') ?? 'all' },
    { name: 'disabled' },
    { name: 'password' },
    { name: 'invited_until' },
    { name: 'second_factor' },
    { name: 'signs_in_with', value: (operator) => signInText(operator, sign_on) },
    {
      title: 'Signs in with',
      fit: 'wide',
      cell: (operator) => <span class="soft">{signInText(operator, sign_on)}</span>,
    },
    {
      title: 'Last seen',
      name: 'last_seen_at',
      fit: 'roomy',
      cell: ({ last_seen_at: at }) =>
        at === null ? <Instant at={null} /> : <Recent {...{ at, zone, now }} />,
    },
    { name: 'created_at' },
    { title: 'More', fit: 'acts', cell: (operator) => <OperatorMenu operator={operator} {...shown} /> },
  ];
}

export function roleText(role: OperatorRole): string {
  return capitalized(role);
}

function Who({ of, own_id, now, zone }: { readonly of: Operator } & Shown) {
  const { email, operator_id } = of;
  const isOwn = operator_id === own_id;
  return (
    <span class="person">
      <span class="avatar" aria-hidden="true">
        {email.slice(0, 2).toUpperCase()}
      </span>
      <span>
        {email}
        {isOwn ? <span class="sub">That is you</span> : null}
        {of.disabled ? <span class="sub">Disabled: cannot sign in</span> : null}
        <Link of={of} {...{ now, zone }} />
      </span>
    </span>
  );
}

function Link({ of, now, zone }: { readonly of: Operator; readonly now: number; readonly zone: string }) {
  const { invited_until: at } = of;
  const invited = isInvited(of) ? 'Invited, ' : '';
  if (at === null) return invited === '' ? null : <span class="sub">Invited, there is no link any more</span>;
  const link = invited === '' ? 'A link' : 'the link';
  return (
    <span class="sub">
      {invited}
      {link} {Date.parse(at) <= now ? 'ended' : 'ends'} on <Instant at={at} zone={zone} precision="day" />
    </span>
  );
}
