import { Get, Param, Post } from '@nestjs/common';
import { invalidField } from '#kernel/errors/api-error.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { CompanyAdministration } from '#api/operator/index.js';
import { PullSourceBody, PullSourceAdministration } from '#pull/index.js';
import { CompanyFrame, zoneOf } from '../frame/company-frame.js';
import { companyPath, sourcePath } from '../links/paths.js';
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
import { inMemory } from '../parts/in-memory.js';
import { Drawer, DrawerButton } from '../parts/drawer.js';
import { EmptyState } from '../parts/empty-state.js';
import { type Column, listPage } from '../parts/list-page.js';
import { mayDo } from '../parts/roles.js';
import { Mark } from '../parts/states.js';
import { Instant } from '../parts/times.js';
import { chosenBefore, type ShownTest, withChoices } from './chosen-mapping.js';
import { rejectsAll } from './connection-test.js';
import { isOfTestedAddress, sourceFields } from './mapping-text.js';
import { SourceForm } from './source-form.js';
import { type ListedSource, syncOf } from './listed-source.js';
import { hasTroubles, SyncTroubles } from './sync-mark.js';

const EVERY_ROW_REJECTED =
  'A run would reject every row. Choose other fields, or tick the box to add the source all the same.';

/** A test needs no name and no interval. */
const UNTESTED = { name: 'Test', interval_seconds: '3600' };

interface Beside {
  readonly refused?: Refused;
  readonly tested?: ShownTest | undefined;
  readonly cursor?: string | undefined;
  /** `source`: the page comes with the drawer open. */
  readonly add?: string | undefined;
}

/** The pull sources of a company (decisions §8). */
@ForOperators('auditor')
@ForSiteOperators('refused')
@Pages('dashboard/companies/:company_id')
export class SourceListPages {
  constructor(
    private readonly companies: CompanyAdministration,
    private readonly sources: PullSourceAdministration,
  ) {}

  @Get('pull-sources')
  show(
    @Param('company_id') company_id: string,
    @PlainQuery() { cursor, add }: { readonly cursor?: string; readonly add?: string },
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.#list(company_id, context, { cursor, add });
  }

  @Get('pull-sources.csv')
  async csv(
    @Param('company_id') company_id: string,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    const { locations } = await this.companies.readWholeCompany(company_id);
    return (await this.#sources(company_id, context, zoneOf(locations))).csv();
  }

  @Costly()
  @ForOperators('manager')
  @Post('pull-sources')
  add(
    @Param('company_id') company_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    let rejected: ShownTest | undefined;
    return submit({
      form: 'source',
      values: form,
      act: async () => {
        const body = validForm(PullSourceBody, sourceFields(form));
        // The warning was about earlier choices.
        if (lastOf(form['add_anyway']) === 'false') {
          const tested = await this.sources.testUnsaved(company_id, body, context);
          rejected = withChoices(tested, form);
          if (tested.failure !== null || rejectsAll(tested))
            throw invalidField('add_anyway', 'conflict', tested.failure?.message ?? EVERY_ROW_REJECTED);
        }
        const added = await this.sources.addSource(company_id, body, context);
        return new SeeOther(sourcePath(added), 'source_added');
      },
      again: (refused) => this.#list(company_id, context, { refused, tested: rejected }),
    });
  }

  /** Tests the settings in the form of a new source. */
  @Costly()
  @ForOperators('manager')
  @Post('pull-sources/test')
  testUnsaved(
    @Param('company_id') company_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    // Fields of another address say nothing of this one.
    const others = { from: undefined, to: undefined, tested_url: undefined };
    const values = isOfTestedAddress(form) ? form : { ...form, ...others };
    return submit({
      form: 'source',
      values,
      act: async () => {
        const body = validForm(PullSourceBody, {
          ...sourceFields({ ...values, interval_minutes: undefined }),
          ...UNTESTED,
        });
        const tested = await this.sources.testUnsaved(company_id, body, context);
        const refused = keptForm('source', { ...form, tested_url: form['url'] });
        return this.#list(company_id, context, { refused, tested: withChoices(tested, values) });
      },
      again: async (refused) => (await this.#list(company_id, context, { refused })).inPlace(),
    });
  }

  async #list(
    company_id: string,
    context: OperatorContext,
    { refused, cursor, tested, add }: Beside,
  ): Promise<Page> {
    const { role } = context.principal;
    const company = await this.companies.readWholeCompany(company_id);
    const { name, locations } = company;
    const { view, page } = await (await this.#sources(company_id, context, zoneOf(locations))).show(cursor);
    const path = `${companyPath(company_id)}/pull-sources`;
    const mayAdd = mayDo(role, 'manager');
    const content = (
      <CompanyFrame company={company}>
        <div class="card">{view}</div>
        {mayAdd ? (
          <Drawer
            form="source"
            title="Add a pull source"
            hint="Test the connection first: it finds the fields, and nothing is saved."
            size="wide"
            {...{ path, refused }}
            isOpen={add === 'source'}
          >
            <SourceForm
              action={path}
              isAdmin={mayDo(role, 'admin')}
              refused={refused}
              locations={locations}
              tested={tested ?? (refused && chosenBefore(refused))}
            />
          </Drawer>
        ) : null}
      </CompanyFrame>
    );
    return new Page(name, content, refused?.status, {
      tab: 'Pull sources',
      heading: 'Pull sources',
      sub: 'Units fetched from a PMS that cannot send them',
      acts:
        mayAdd && page.rows.length > 0 ? <DrawerButton form="source">Add source</DrawerButton> : undefined,
      company_id,
    });
  }

  async #sources(company_id: string, context: OperatorContext, zone: string) {
    const pull_sources = await this.sources.listSources(company_id, context);
    const keyOf = ({ pull_source_id }: ListedSource) => pull_source_id;
    const path = `${companyPath(company_id)}/pull-sources`;
    const mayAdd = mayDo(context.principal.role, 'manager');
    return listPage({
      caption: 'Pull sources',
      name: 'pull-sources',
      path,
      file: `${path}.csv`,
      columns: columnsOf(zone),
      keyOf,
      read: inMemory(pull_sources, keyOf),
      empty: (
        <EmptyState
          icon="refresh"
          title="No pull source"
          acts={mayAdd ? <DrawerButton form="source">Add source</DrawerButton> : undefined}
        >
          If your PMS cannot send its units, {mayAdd ? 'add' : 'a manager adds'} the address to fetch them
          from.
        </EmptyState>
      ),
    });
  }
}

function columnsOf(zone: string): readonly Column<ListedSource>[] {
  return [
    { name: 'pull_source_id' },
    { title: 'Name', name: 'name', cell: (source) => <a href={sourcePath(source)}>{source.name}</a> },
    { title: 'Address', name: 'url', fit: 'wide off' },
    { name: 'interval_seconds' },
    { name: 'enabled' },
    { name: 'last_run_state' },
    { title: 'State', cell: (source) => <SourceMark of={source} /> },
    {
      title: 'Next run',
      cell: ({ next_run_at }) => <Instant at={next_run_at} zone={zone} none="" />,
    },
  ];
}

function SourceMark({ of: source }: { readonly of: ListedSource }) {
  if (source.running) return <Mark tone="calm">Running</Mark>;
  if (hasTroubles(syncOf(source))) return <SyncTroubles of={syncOf(source)} />;
  if (!source.enabled) return <Mark tone="calm">Off</Mark>;
  return source.last_run_id === null ? (
    <Mark tone="calm">No run yet</Mark>
  ) : (
    <Mark tone="good">Up to date</Mark>
  );
}
