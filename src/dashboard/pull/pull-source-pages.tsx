import { Get, Param, Post } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { CompanyAdministration } from '#api/operator/index.js';
import { PullSourceChangeBody, PullSourceAdministration } from '#pull/index.js';
import { CompanyFrame, zoneOf } from '../frame/company-frame.js';
import {
  type FormValues,
  keptForm,
  lastOf,
  Page,
  type Refused,
  SeeOther,
  type StreamedDownload,
} from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { Drawer } from '../parts/drawer.js';
import { EmptyState } from '../parts/empty-state.js';
import { Section } from '../parts/layout.js';
import { listPage } from '../parts/list-page.js';
import { mayDo } from '../parts/roles.js';
import { changedValues, emptiedIn } from '../parts/initial-values.js';
import { submitChange } from '../parts/submit-change.js';
import { chosenBefore, type ShownTest, withChoices } from './chosen-mapping.js';
import { assertSavedAddress, mappingIn, sourceFields } from './mapping-text.js';
import type { OfferedLocations } from './field-choices.js';
import type { ListedSource } from './listed-source.js';
import { healthOf, type ListedRun, STRIP_RUNS } from './run-strip.js';
import { RunStrip } from './run-strip-view.js';
import { runColumns } from './run-table.js';
import { companyPath } from '../links/paths.js';
import { SourceForm } from './source-form.js';
import { SourceActs, SourceState } from './source-state.js';
import { sourcePath } from '../links/paths.js';

interface Beside {
  readonly refused?: Refused;
  readonly tested?: ShownTest | undefined;
  readonly cursor?: string | undefined;
  /** The operator has just started a run. */
  readonly isStarted?: boolean;
}

/** A pull source and its runs (decisions §8). */
@ForOperators('auditor')
@ForSiteOperators('refused')
@Pages('dashboard/pull-sources/:pull_source_id')
export class PullSourcePages {
  constructor(
    private readonly companies: CompanyAdministration,
    private readonly sources: PullSourceAdministration,
  ) {}

  @Get()
  one(
    @Param('pull_source_id') pull_source_id: string,
    @PlainQuery() { cursor, started }: { readonly cursor?: string; readonly started?: string },
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.#page(pull_source_id, context, { cursor, isStarted: started === 'true' });
  }

  @Get('runs.csv')
  runs(@Param('pull_source_id') pull_source_id: string): Promise<StreamedDownload> {
    return this.#runs(pull_source_id, 'UTC', null).csv();
  }

  @ForOperators('manager')
  @Post()
  change(
    @Param('pull_source_id') pull_source_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submitChange({
      form: 'source',
      values: form,
      path: sourcePath({ pull_source_id }),
      save: async () => {
        // A new credential needs the address too, so that it is sent nowhere else.
        const where = (lastOf(form['auth_header']) ?? '') === '' ? {} : { url: form['url'] };
        const changes = changedValues(form);
        const { from, to, location } = form;
        const isChosen = changes['to'] !== undefined || changes['location'] !== undefined;
        const fields = sourceFields({ ...changes, ...where, ...(isChosen && { from, to, location }) });
        const body = validForm(PullSourceChangeBody, fields, emptiedIn(form));
        await this.sources.changeSource(pull_source_id, body, context);
        return 'source';
      },
      again: (refused) => this.#page(pull_source_id, context, { refused }),
    });
  }

  @ForOperators('manager')
  @Post('runs')
  run(
    @Param('pull_source_id') pull_source_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'run',
      values: form,
      act: async () => {
        await this.sources.requestRun(pull_source_id, context);
        return new SeeOther(`${sourcePath({ pull_source_id })}?started=true`);
      },
      again: (refused) => this.#page(pull_source_id, context, { refused }),
    });
  }

  /** Tests a saved source with the mapping in its form. */
  @Costly()
  @ForOperators('manager')
  @Post('test')
  test(
    @Param('pull_source_id') pull_source_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'source',
      values: form,
      act: async () => {
        assertSavedAddress(form);
        const body = validForm(PullSourceChangeBody, { mapping: mappingIn(form) ?? '' });
        const tested = await this.sources.testMapping(pull_source_id, body, context);
        const refused = keptForm('source', form);
        return this.#page(pull_source_id, context, { refused, tested: withChoices(tested, form) });
      },
      again: async (refused) => (await this.#page(pull_source_id, context, { refused })).inPlace(),
    });
  }

  async #page(
    pull_source_id: string,
    context: OperatorContext,
    { refused, tested, cursor, isStarted = false }: Beside,
  ): Promise<Page> {
    const source = await this.sources.readSource(pull_source_id, context);
    const { company_id, name } = source;
    const company = await this.companies.readWholeCompany(company_id);
    const { locations } = company;
    const { page, view } = await this.#runs(pull_source_id, zoneOf(locations), source.last_run_id).show(
      cursor,
    );
    const { role } = context.principal;
    const path = sourcePath(source);
    const mayChange = mayDo(role, 'manager');
    const isOpen = source.running || page.rows.some((run) => healthOf(run) === 'open');
    const content = (
      <CompanyFrame
        company={company}
        above={[`${companyPath(source.company_id)}/pull-sources`, 'Pull sources']}
      >
        <SourceState of={source} zone={zoneOf(locations)} isStarted={isStarted && isOpen} />
        <Section title="Runs" id="runs">
          {isOpen ? <Refresher path={path} isStarted={isStarted} /> : null}
          {cursor ? null : <RunStrip of={page.rows} zone={zoneOf(locations)} />}
          {view}
          {page.rows.length === 0 ? null : <p class="hint">Runs are kept for 30 days.</p>}
        </Section>
        {mayChange ? (
          <SettingsDrawer {...{ source, locations, refused, tested }} isAdmin={mayDo(role, 'admin')} />
        ) : null}
      </CompanyFrame>
    );
    return new Page(name, content, refused?.status, {
      company_id,
      acts: mayChange ? <SourceActs {...{ source, refused }} /> : undefined,
    });
  }

  #runs(pull_source_id: string, zone: string, newest: string | null) {
    const path = sourcePath({ pull_source_id });
    return listPage({
      caption: 'Runs, newest first',
      name: 'runs',
      path,
      file: `${path}/runs.csv`,
      columns: runColumns(zone, newest),
      keyOf: ({ run_id }: ListedRun) => run_id,
      read: async (range) => {
        const { runs, next_cursor } = await this.sources.listRuns(pull_source_id, range);
        return { rows: runs, next_cursor };
      },
      empty: (
        <EmptyState icon="refresh" title="No run yet">
          “Run it now” starts one.
        </EmptyState>
      ),
      limit: STRIP_RUNS,
    });
  }
}

interface SettingsDrawerProps extends Pick<Beside, 'tested'> {
  readonly source: ListedSource;
  readonly isAdmin: boolean;
  readonly refused: Refused | undefined;
  readonly locations: OfferedLocations;
}

/** The settings of a source and their test, beside its page. */
function SettingsDrawer({ source, isAdmin, refused, locations, tested }: SettingsDrawerProps) {
  const path = sourcePath(source);
  return (
    <Drawer form="source" title="Settings" size="wide" {...{ path, refused }}>
      <SourceForm
        action={path}
        tested={tested ?? (refused && chosenBefore(refused))}
        {...{ isAdmin, refused, locations, source }}
      />
    </Drawer>
  );
}

/** Loads the runs again each second, at first sooner, until the run has ended. Forms stay as they are typed. */
function Refresher({ path, isStarted }: { readonly path: string; readonly isStarted: boolean }) {
  return (
    <p
      role="status"
      hx-get={path}
      hx-trigger={`load delay:${isStarted ? '200ms' : '1s'}`}
      hx-select="#runs"
      hx-select-oob="#source-state"
      hx-target="#runs"
      hx-swap="outerHTML"
    >
      Syncing now. <a href={path}>Reload</a>
    </p>
  );
}
