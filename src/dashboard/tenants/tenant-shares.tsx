import type { ResultOf } from '#kernel/result-of.js';
import { SharedUnitTable } from '../lists/unit-list.js';
import { passPath } from '../links/paths.js';
import { openedNames } from '../passes/pass-list.js';
import { REASON_TEXTS, STANDING_TEXTS } from '../passes/pass-words.js';
import { Section, Table } from '../parts/layout.js';
import { TenantLink } from '../parts/tenant-links.js';
import { Instant } from '../parts/times.js';
import { UnitLink } from '../parts/unit-link.js';
import type { GivenShare, TenantSharesReader } from './tenant-shares.reader.js';

type TenantSharing = ResultOf<TenantSharesReader['read']>;

interface SharingProps {
  readonly of: TenantSharing;
  /** Time zone of the location. */
  readonly zone: string;
}

/** Whom the tenant lets in, who lets the tenant in, and the passes that the account holds. */
export function TenantSharingCards({ of: { given, received, passes }, zone }: SharingProps) {
  return (
    <>
      {given.length + received.length === 0 ? null : (
        <Section title="Shares" id="shares">
          {given.length === 0 ? null : (
            <>
              <h3>Shares with others</h3>
              <GivenShares of={given} zone={zone} />
            </>
          )}
          {received.length === 0 ? null : (
            <>
              <h3>Shared by others</h3>
              <SharedUnitTable units={received} />
            </>
          )}
        </Section>
      )}
      {passes.length === 0 ? null : (
        <Section title="Passes" id="passes">
          <HeldPasses of={passes} zone={zone} />
        </Section>
      )}
    </>
  );
}

function GivenShares({ of, zone }: { readonly of: readonly GivenShare[]; readonly zone: string }) {
  const rows = of.map((share) => ({
    key: `${share.kind} ${share.unit_id} ${share.with.tenant_id}`,
    cells: [
      <TenantLink tenant={share.with} />,
      <UnitLink unit={share} />,
      <ByWhom of={share} zone={zone} />,
      <Instant at={share.until} zone={zone} none="no end date" />,
    ],
  }));
  return <Table caption="Shares with others" head={['With', 'Unit', 'By', 'Ends']} rows={rows} />;
}

function ByWhom({ of: share, zone }: { readonly of: GivenShare; readonly zone: string }) {
  if (share.kind === 'share') return <>{share.byStaff ? 'Staff' : 'The tenant'}</>;
  if (share.kind === 'locked_invitation') return <>Invited, closed by five wrong codes</>;
  return (
    <>
      Invited, to accept until <Instant at={share.accept_by} zone={zone} />
    </>
  );
}

interface PassesProps {
  readonly of: TenantSharing['passes'];
  readonly zone: string;
}

function HeldPasses({ of, zone }: PassesProps) {
  const rows = of.map((pass) => ({
    key: pass.pass_id,
    cells: [
      <a href={passPath(pass.pass_id)}>{REASON_TEXTS[pass.reason]}</a>,
      openedNames(pass).join(', '),
      <Instant at={pass.until} zone={zone} />,
      <span class="pill">{STANDING_TEXTS[pass.standing]}</span>,
    ],
  }));
  return <Table caption="Passes" head={['For', 'Opens', 'Ends', 'Standing']} rows={rows} />;
}
