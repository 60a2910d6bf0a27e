import { Get, Post } from '@nestjs/common';
import type { OperatorPrincipal } from '#kernel/principals.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import {
  assertSeesWholeLog,
  CompanyAdministration,
  type Examination,
  LogAudit,
  LogExaminations,
  seesWholeLog,
} from '#api/operator/index.js';
import { companyPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import { Page, SeeOther, StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { EmptyState } from '../parts/empty-state.js';
import { Form } from '../parts/form.js';
import { Icon } from '../parts/icon.js';
import { Empty, Section, SectionHead } from '../parts/layout.js';
import { listPage, type ListRange } from '../parts/list-page.js';
import { mayDo } from '../parts/roles.js';
import { CHECKPOINT_COLUMNS } from './checkpoints.js';
import { ExaminationView } from './examination.js';

const CHECKPOINTS = 24;
/** Companies whose changes are linked. */
const LINKED = 12;

/** Verifies, signs and exports the log, to prove to an auditor that nobody changed it. */
@ForOperators('auditor')
@ForSiteOperators('refused')
@Pages('dashboard/audit')
export class AuditPages {
  constructor(
    private readonly audit: LogAudit,
    private readonly examinations: LogExaminations,
    private readonly companies: CompanyAdministration,
  ) {}

  @Get()
  async show(
    @PlainQuery() { cursor }: { readonly cursor?: string },
    @Context() { principal }: OperatorContext,
  ): Promise<Page> {
    const ofAll = seesWholeLog(principal);
    const { companies, next_cursor } = await this.companies.listCompanies({ limit: LINKED }, principal);
    const content = (
      <>
        <WhoDidWhat companies={companies} isWhole={next_cursor === null} />
        <div class="split">
          {ofAll ? <WholeLog of={this.examinations.find(principal)} /> : <NotForAll />}
          <div class="stack">
            <OneUnit />
            {ofAll && mayDo(principal.role, 'admin') ? <Rebuilding /> : null}
          </div>
        </div>
        {ofAll ? await this.#checkpoints(principal, cursor) : null}
      </>
    );
    return new Page('Audit', content, 200, {
      sub: 'Proof that nobody altered the history',
      acts: ofAll ? <LogActs /> : undefined,
    });
  }

  /** Runs in the background; the next page shows its progress. */
  @Post('verify')
  verify(@ObjectBody() _form: object, @Context() { principal }: OperatorContext): SeeOther {
    this.examinations.verify(principal);
    return new SeeOther('/dashboard/audit');
  }

  @ForOperators('admin')
  @Post('checkpoint')
  sign(@ObjectBody() _form: object, @Context() { principal }: OperatorContext): SeeOther {
    this.examinations.sign(principal);
    return new SeeOther('/dashboard/audit');
  }

  @Get('export')
  async export(@Context() { principal }: OperatorContext): Promise<StreamedDownload> {
    return new StreamedDownload('log.ndjson', 'application/x-ndjson', await this.audit.export(principal));
  }

  @Get('checkpoints.csv')
  async checkpoints(@Context() { principal }: OperatorContext): Promise<StreamedDownload> {
    assertSeesWholeLog(principal);
    return (await this.#list()).csv();
  }

  async #list() {
    const hasFile = (await this.audit.checkpoints(1)) !== undefined;
    const path = '/dashboard/audit';
    return listPage({
      caption: 'Checkpoints, newest first',
      name: 'checkpoints',
      columns: CHECKPOINT_COLUMNS,
      path,
      file: `${path}/checkpoints.csv`,
      limit: CHECKPOINTS,
      keyOf: ({ signature }) => signature,
      read: (range) => this.#page(range),
      empty: (
        <EmptyState icon="key" title={hasFile ? 'No checkpoint yet' : 'No file for checkpoints'}>
          {hasFile ? 'The service signs the first one within the hour.' : NO_FILE}
        </EmptyState>
      ),
    });
  }

  /** A page of the checkpoints; an empty one where no file is configured. */
  async #page({ limit, cursor }: ListRange) {
    const before = cursor === undefined || !/^\d{1,15}$/.test(cursor) ? undefined : Number(cursor);
    const page = await this.audit.checkpoints(limit, before);
    const next = page?.next ?? null;
    return { rows: page?.checkpoints ?? [], next_cursor: next === null ? null : String(next) };
  }

  async #checkpoints(principal: OperatorPrincipal, cursor: string | undefined) {
    const { view } = await (await this.#list()).show(cursor);
    return (
      <>
        <SectionHead title="Checkpoints" count="what the service signed of the history, newest first">
          {mayDo(principal.role, 'admin') ? (
            <Form name="checkpoint" action="/dashboard/audit/checkpoint" submit="Sign one now" tone="quiet" />
          ) : null}
        </SectionHead>
        <div class="card">
          <ExaminationView of={this.examinations.find(principal)} kind="checkpoint" />
          {view}
        </div>
      </>
    );
  }
}

function LogActs() {
  return (
    <>
      <a class="button" href="/dashboard/audit/export" download>
        <Icon name="download" />
        Download the log
      </a>
      <Form name="verify" action="/dashboard/audit/verify" submit="Verify now" />
    </>
  );
}

interface WhoDidWhatProps {
  readonly companies: readonly { readonly company_id: string; readonly name: string }[];
  /** False: there are more companies. */
  readonly isWhole: boolean;
}

function WhoDidWhat({ companies, isWhole }: WhoDidWhatProps) {
  return (
    <Section title="Who changed what">
      <p>
        The page Changes of a company says who did what and when, also long ago: policy, hours, texts, gates,
        locks, passes, people let in or locked out, operators. Choose days and a kind there.
      </p>
      <ul class="numbers">
        {companies.map(({ company_id, name }) => (
          <li key={company_id}>
            <a href={withQuery(`${companyPath(company_id)}/changes`, { actor: 'operator' })}>
              What staff did at {name}
            </a>
          </li>
        ))}
        {isWhole ? null : (
          <li>
            <a href="/dashboard/companies">All companies</a>
          </li>
        )}
      </ul>
    </Section>
  );
}

function WholeLog({ of }: { readonly of: Examination | undefined }) {
  return (
    <Section title="The whole log">
      <ExaminationView of={of} kind="verification" />
      <p>
        Verifying checks that nobody altered, removed or slipped in anything after it was stored. It runs in
        the background.
      </p>
      <p>
        The download is for an auditor, who checks the file on another computer: its last line is the
        service’s signature over all of it. It is made for programs, not for reading. It holds every company’s
        history, and no person’s name, phone or e-mail.
      </p>
      <p class="hint">
        No result? Reload the page: where several computers run the service, each shows what it verified.
      </p>
    </Section>
  );
}

function OneUnit() {
  return (
    <Section title="One unit">
      <p>
        <a href="/dashboard/find">Find the unit</a> and open its <strong>report to print</strong>: everything
        that happened to it, with names and local times, and the proof that nothing was altered.
      </p>
    </Section>
  );
}

function Rebuilding() {
  return (
    <Section title="A list looks wrong">
      <p>
        The service makes its lists from the history. If one shows something else,{' '}
        <a href="/dashboard/rebuild">Rebuild all lists</a>: the history stays, and nobody has to wait.
      </p>
    </Section>
  );
}

const NO_FILE =
  'Ask whoever runs the service to name one, on other storage: the service then signs the state of the log once an hour.';

function NotForAll() {
  return (
    <Section title="The whole log">
      <Empty>
        It holds every company’s events: operators of all companies verify and export it. Units of yours you
        prove one by one, above.
      </Empty>
    </Section>
  );
}
