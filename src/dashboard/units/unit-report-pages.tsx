import { aboutThing } from '../frame/location-frame.js';
import { Get, Param } from '@nestjs/common';
import { toTimestamp } from '#kernel/timestamp.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { PlainQuery } from '#web/validation/parameters.js';
import { CompanyAdministration, LogAudit, UnitAdministration, type UnitProof } from '#api/operator/index.js';
import type { FiledCheckpoint } from '#eventsourcing/proof/newest-checkpoints.js';
import { Page } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { Facts, NextPage, Section, Trail } from '../parts/layout.js';
import { SandboxMark } from '../parts/sandbox-mark.js';
import { Instant } from '../parts/times.js';
import { ReportTable } from './report-table.js';
import { HistoryList, NamesOfToday } from './history-list.js';
import { isStandalone, sentenceOf } from './sentence.js';
import { NamedEntries } from '../activity/named-entries.js';
import { unitPath } from '../links/paths.js';

/** Entries of one page. */
const ENTRIES = 500;

/** A report on one unit, to print. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/units/:unit_id/report')
export class UnitReportPages {
  constructor(
    private readonly units: UnitAdministration,
    private readonly named: NamedEntries,
    private readonly companies: CompanyAdministration,
    private readonly audit: LogAudit,
  ) {}

  @Costly()
  @Get()
  async show(
    @Param('unit_id') unit_id: string,
    @PlainQuery() { cursor }: { readonly cursor?: string },
    @Context() { received_at, deadline }: OperatorContext,
  ): Promise<Page> {
    const unit = await this.units.readUnit(unit_id);
    const { location } = unit;
    const company = await this.companies.readCompanyAlone(unit.company_id);
    const [proof, page, taps, newest] = await Promise.all([
      this.audit.proveUnit(unit_id),
      this.named.listHistory(unit_id, { limit: ENTRIES, ...(cursor ? { cursor } : {}) }),
      cursor ? null : this.named.listJudged(unit_id, { limit: ENTRIES }, deadline),
      this.audit.checkpoints(1),
    ]);
    const { timezone: zone, currency } = location;
    const path = unitPath(unit_id);
    const { entries, next_cursor, names } = page;
    const at = company.clock?.now ?? toTimestamp(received_at);
    const content = (
      <>
        <Trail to={[[path, unit.unit_name]]} />
        <SandboxMark clock={company.clock} zone={zone} />
        <PrintButton />
        <Section title="What it is about">
          <Facts
            of={[
              ['Company', company.name],
              ['Site', `${location.name} (${location.pms_location_code}), ${zone}`],
              ['Unit', identityText(unit)],
              ['As of', <Instant at={at} zone={zone} precision="second" />],
              ['Access then', sentenceOf(unit)],
            ]}
          />
        </Section>
        <Section title="Proof">
          <Proof of={proof} checkpoint={newest?.checkpoints[0]} zone={zone} />
        </Section>
        <Section title={cursor ? 'What happened, continued' : 'What happened, oldest first'}>
          <NamesOfToday />
          <HistoryList {...{ entries, zone, currency, path, names }} asProof />
          <NextPage path={`${path}/report`} cursor={next_cursor} />
        </Section>
        {taps === null ? null : (
          <Section title="Taps at its locks and gates, newest first">
            <ReportTable of={taps.entries} tenantNames={taps.names} {...{ path, zone, currency }} />
            {taps.next_cursor === null ? null : (
              <p class="hint">
                The newest {ENTRIES}. <a href={`${path}/activity`}>All of them, page by page</a>
              </p>
            )}
          </Section>
        )}
      </>
    );
    return new Page(`Report on ${unit.unit_name}`, content, 200, aboutThing(unit));
  }
}

/** The button appears with the script; the browser's own command is always there. */
function PrintButton() {
  return (
    <p class="unprinted">
      <button type="button" data-prints hidden>
        Print
      </button>{' '}
      Your browser’s print command does the same, and saves a PDF.
    </p>
  );
}

type NamedReport = Parameters<typeof isStandalone>[0] &
  Readonly<Record<'unit_name' | 'crm_unit_id' | 'unit_id', string>>;

/** The name and the identifiers of a unit. */
function identityText(unit: NamedReport): string {
  const { unit_name, crm_unit_id, unit_id } = unit;
  const given = isStandalone(unit) ? `unit number ${crm_unit_id}` : `in the PMS ${crm_unit_id}`;
  return `${unit_name}; ${given}; here ${unit_id}`;
}

interface ProofProps {
  readonly of: UnitProof;
  readonly checkpoint: FiledCheckpoint | undefined;
  readonly zone: string;
}

function Proof({ of: { stream, events, fault, head }, checkpoint, zone }: ProofProps) {
  return (
    <>
      {fault === null ? (
        <p class="said">
          Verified: nothing altered. {events} events were hashed again now; each has the hash of the one
          before it.
        </p>
      ) : (
        <p class="refusal" role="alert">
          Altered: {fault}
        </p>
      )}
      <Facts
        of={[
          ['Record in the log', <code>{stream}</code>],
          ['Last entry', head === null ? 'none' : `number ${head.revision + 1} (revision ${head.revision})`],
          ['Its fingerprint (hash)', <code>{head?.hash ?? 'none'}</code>],
          ...(checkpoint === undefined ? [] : signedFacts(checkpoint, zone)),
        ]}
      />
      <p class="hint">
        For auditors: an export of the log shows the same hashes, and is checked without this service. Its
        signature proves who made it{checkpoint === undefined ? '' : ', as that of the checkpoint does'}.
      </p>
    </>
  );
}

function signedFacts({ at, events, root, key, is_signed }: FiledCheckpoint, zone: string) {
  return [
    ['Newest checkpoint', <Instant at={at} zone={zone} precision="second" />],
    ['Of', `${events} events; its signature ${is_signed ? 'fits' : 'does NOT fit'}`],
    ['Root', <code>{root}</code>],
    ['Public key', <code>{key}</code>],
  ] as const;
}
