import type { ResultOf } from '#kernel/result-of.js';
import type { ApiTokenAdministration } from '#api/operator/index.js';
import { FoldedRejectedRows } from '../companies/rejected-rows.js';
import { companyPath } from '../links/paths.js';
import { Danger, Form } from '../parts/form.js';
import { DrawerButton } from '../parts/drawer.js';
import { EmptyState } from '../parts/empty-state.js';
import { inMemory } from '../parts/in-memory.js';
import { None } from '../parts/layout.js';
import { type Column, listPage } from '../parts/list-page.js';
import { MoreMenu } from '../parts/more-menu.js';
import { SCOPE_TEXTS } from '../parts/labels.js';
import { Mark } from '../parts/states.js';
import { Instant, Recent } from '../parts/times.js';

export type Token = ResultOf<ApiTokenAdministration['listTokens']>[number];

interface TokenListProps {
  readonly company_id: string;
  readonly tokens: readonly Token[];
  /** Milliseconds. */
  readonly now: number;
  readonly zone: string;
}

/** The API tokens of a company. */
export function tokenList({ company_id, tokens, now, zone }: TokenListProps) {
  const keyOf = ({ token_id }: Token) => token_id;
  const path = `${companyPath(company_id)}/api-tokens`;
  return listPage({
    caption: 'API tokens',
    name: 'api-tokens',
    path,
    file: `${path}/api-tokens.csv`,
    columns: columnsOf(company_id, now, zone),
    keyOf,
    read: inMemory(tokens, keyOf),
    empty: (
      <EmptyState
        icon="key"
        title="No token yet"
        acts={<DrawerButton form="token">Create token</DrawerButton>}
      >
        A PMS needs one to write: create one for each system.
      </EmptyState>
    ),
  });
}

/** @param now milliseconds */
function columnsOf(company_id: string, now: number, zone: string): readonly Column<Token>[] {
  return [
    { name: 'token_id' },
    { title: 'Name', name: 'name' },
    { title: 'Permissions', name: 'scope', cell: ({ scope }) => SCOPE_TEXTS[scope] },
    {
      title: 'Created',
      name: 'created_at',
      fit: 'wide off',
      cell: ({ created_at }) => <Instant at={created_at} zone={zone} precision="day" />,
    },
    {
      title: 'Expires',
      name: 'expires_at',
      cell: ({ expires_at }) => <End at={expires_at} now={now} zone={zone} />,
    },
    {
      title: 'Last used',
      name: 'last_used_at',
      cell: ({ last_used_at: at }) =>
        at === null ? <Instant at={null} /> : <Recent {...{ at, zone, now }} />,
    },
    {
      title: 'Rejected rows',
      cell: ({ last_rejected_bulk: bulk }) =>
        bulk === null ? <None /> : <FoldedRejectedRows of={bulk} zone={zone} />,
    },
    { name: 'revoked_at' },
    { title: 'More', fit: 'acts', cell: (token) => <TokenActs {...{ company_id, token, zone }} /> },
  ];
}

interface EndProps {
  readonly at: Token['expires_at'];
  readonly now: number;
  readonly zone: string;
}

/** Names the last day on which it is good: at midnight that is the day before. */
function End({ at, now, zone }: EndProps) {
  if (at === null) return <Instant at={null} />;
  const end = Date.parse(at);
  return (
    <>
      {end <= now ? 'ended' : 'ends'} <Instant at={end - 1} zone={zone} precision="day" />
    </>
  );
}

interface TokenActsProps {
  readonly company_id: string;
  readonly token: Token;
  readonly zone: string;
}

function TokenActs({ company_id, token, zone }: TokenActsProps) {
  const { token_id, name, revoked_at } = token;
  if (revoked_at !== null) {
    return (
      <Mark tone="calm">
        deleted <Instant at={revoked_at} zone={zone} precision="day" />
      </Mark>
    );
  }
  return (
    <MoreMenu id={token_id} of={name}>
      <Danger summary="Delete…">
        <p class="small">Whatever uses {name} is refused at once. This cannot be undone.</p>
        <Form
          name={`delete-${token_id}`}
          action={`${companyPath(company_id)}/api-tokens/${token_id}/delete`}
          submit={`Delete ${name}`}
          tone="danger"
        />
      </Danger>
    </MoreMenu>
  );
}
