import { Get, Post } from '@nestjs/common';
import { errorOf } from '#kernel/errors/api-error.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { LogAudit } from '#api/operator/index.js';
import { Page, SeeOther, StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { Form } from '../parts/form.js';
import { Empty, Section } from '../parts/layout.js';
import { listPage, type ListRange } from '../parts/list-page.js';
import { mayDo } from '../parts/roles.js';
import { CHECKPOINT_COLUMNS } from './checkpoints.js';
import { ExaminationView } from './examination.js';

const CHECKPOINTS = 24;

/** Verifies, signs and exports the log, to prove to an auditor that nobody changed it. */
@ForOperators('auditor')
@ForSiteOperators('refused')
@Pages('dashboard/audit')
export class AuditPages {
  constructor(private readonly audit: LogAudit) {}

  @Get()
  async show(
    @PlainQuery() { cursor }: { readonly cursor?: string },
    @Context() { principal }: OperatorContext,
  ): Promise<Page> {
    const ofAll = this.audit.isFor(principal);
    const content = (
      <>
        <Section title="One unit">
          <p>
            <a href="/dashboard/find">Find the unit</a> and open its <strong>report to print</strong>:
            everything that happened to it, with names, local times and hashes, and the proof that nothing was
            altered.
          </p>
        </Section>
        {ofAll ? await this.#whole(principal, cursor) : <NotForAll />}
        {ofAll && mayDo(principal.role, 'admin') ? (
          <Section title="A list does not fit the history">
            <p>
              Lists are computed from the log. <a href="/dashboard/rebuild">Rebuild all lists</a> if one is
              wrong.
            </p>
          </Section>
        ) : null}
      </>
    );
    return new Page('Audit', content);
  }

  /** Runs in the background; the next page shows its progress. */
  @Post('verify')
  verify(@ObjectBody() _form: object, @Context() { principal }: OperatorContext): SeeOther {
    this.audit.verify(principal);
    return new SeeOther('/dashboard/audit');
  }

  @ForOperators('admin')
  @Post('checkpoint')
  sign(@ObjectBody() _form: object, @Context() { principal }: OperatorContext): SeeOther {
    this.audit.sign(principal);
    return new SeeOther('/dashboard/audit');
  }

  @Get('export')
  async export(@Context() { principal }: OperatorContext): Promise<StreamedDownload> {
    return new StreamedDownload('log.ndjson', 'application/x-ndjson', await this.audit.export(principal));
  }

  @Get('checkpoints.csv')
  async checkpoints(@Context() { principal }: OperatorContext): Promise<StreamedDownload> {
    if (!this.audit.isFor(principal)) throw errorOf('forbidden');
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
      empty: hasFile ? 'None yet. The service signs the first one within the hour.' : NO_FILE,
    });
  }

  /** A page of the checkpoints; an empty one where no file is configured. */
  async #page({ limit, cursor }: ListRange) {
    const before = cursor === undefined || !/^\d{1,15}$/.test(cursor) ? undefined : Number(cursor);
    const page = await this.audit.checkpoints(limit, before);
    const next = page?.next ?? null;
    return { rows: page?.checkpoints ?? [], next_cursor: next === null ? null : String(next) };
  }

  async #whole(principal: OperatorPrincipal, cursor: string | undefined) {
    const examination = this.audit.examination(principal);
    const { view } = await (await this.#list()).show(cursor);
    return (
      <>
        <Section title="The whole log">
          <p>
            Every event carries the hash of the one before it. Verifying computes all hashes again and
            compares them with earlier signatures. It runs in the background.
          </p>
          <ExaminationView of={examination} kind="verification" />
          <p class="hint">
            If the service has several processes, each knows only its own verifications: reload the page to
            reach the other.
          </p>
          <Form name="verify" action="/dashboard/audit/verify" submit="Verify now" />
        </Section>
        <Section title="Checkpoints">
          <ExaminationView of={examination} kind="checkpoint" />
          {view}
          {mayDo(principal.role, 'admin') ? (
            <Form name="checkpoint" action="/dashboard/audit/checkpoint" submit="Sign one now" tone="quiet" />
          ) : null}
        </Section>
        <Section title="Export">
          <p>
            All events, a line of JSON each, with a signed manifest as the last line: an auditor checks the
            file without this service. It holds every company’s history, and no person’s name, phone or
            e-mail.
          </p>
          <p>
            <a href="/dashboard/audit/export" download>
              Download the log
            </a>
          </p>
        </Section>
      </>
    );
  }
}

const NO_FILE =
  'No file for checkpoints is set up. Ask whoever runs the service to name one, on other storage: the service then signs the state of the log once an hour.';

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
