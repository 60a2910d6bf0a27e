import { Get, Param } from '@nestjs/common';
import { ActivityReads, EntryPointHistoryReads } from '#api/history/index.js';
import { EntryPointPeopleReader, SearchEverywhere } from '#api/operator/index.js';
import { ApiError, invalidField } from '#kernel/errors/api-error.js';
import type { ResultOf } from '#kernel/result-of.js';
import type { Deadline } from '#kernel/yielder.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { PlainQuery } from '#web/validation/parameters.js';
import { NamedEntries } from '../activity/named-entries.js';
import { Pages } from '../frame/pages.js';
import { type FormValues, type Page, type Refused, type StreamedDownload } from '../page/page.js';
import { submit } from '../page/submit.js';
import { Section } from '../parts/layout.js';
import { typedInstant } from '../parts/typed-instant.js';
import { FramedGate } from './framed-gate.js';
import { gatePage } from './gate-frame.js';
import { gateLog } from './gate-log.js';
import { GatePast } from './gate-past.js';
import { GatePeople, peoplePath } from './gate-people.js';

/** Entries of one page of the history. */
const ENTRIES = 50;
/** Pages of people that are read for one: each covers some units of the site, of which few may be behind the gate. */
const MOST_READ = 4;
/** The most people whom joined pages show. */
const MOST_PEOPLE = 500;

/** A gate's records: every tap, who may open it now, and as it was. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/entry-points/:entry_point_id')
export class GateRecordPages {
  constructor(
    private readonly framed: FramedGate,
    private readonly activity: ActivityReads,
    private readonly named: NamedEntries,
    private readonly people: EntryPointPeopleReader,
    private readonly history: EntryPointHistoryReads,
    private readonly everywhere: SearchEverywhere,
  ) {}

  @Costly()
  @Get('log')
  async log(
    @Param('entry_point_id') id: string,
    @PlainQuery() { cursor }: { readonly cursor?: string },
    @Context() { principal, deadline }: OperatorContext,
  ): Promise<Page> {
    const gate = await this.framed.read(id, principal);
    const { view } = await this.#log(id, gate, deadline).show(cursor);
    return gatePage(
      gate,
      { current: '/log' },
      <Section title="All taps, the last reported first">{view}</Section>,
    );
  }

  @Costly()
  @Get('log.csv')
  async logAsCsv(
    @Param('entry_point_id') id: string,
    @Context() { principal }: OperatorContext,
  ): Promise<StreamedDownload> {
    return this.#log(id, await this.framed.read(id, principal)).csv();
  }

  @Costly()
  @Get('people')
  async whoMayOpen(
    @Param('entry_point_id') id: string,
    @PlainQuery() { cursor }: { readonly cursor?: string },
    @Context() { principal }: OperatorContext,
  ): Promise<Page> {
    const gate = await this.framed.read(id, principal);
    const { people, next_cursor } = await this.#readPeople(id, cursor === '' ? undefined : cursor);
    const { zone } = gate.framing;
    const { now } = gate;
    const isWhole = !cursor && next_cursor === null;
    const content = <GatePeople {...{ people, next_cursor, isWhole, zone, now }} path={peoplePath(id)} />;
    return gatePage(gate, { current: '/people' }, content);
  }

  /** Joins pages of few people. A cursor leads to somebody, unless four pages in a row have nobody. */
  async #readPeople(id: string, cursor: string | undefined) {
    let { people, next_cursor } = await this.people.readPeople(id, cursor);
    for (let read = 1; next_cursor !== null && read < MOST_READ; read += 1) {
      const next = await this.people.readPeople(id, next_cursor);
      if (next.people.length > 0 && people.length + next.people.length > MOST_PEOPLE) break;
      people = [...people, ...next.people];
      ({ next_cursor } = next);
    }
    return { people, next_cursor };
  }

  /** `at` is a timestamp, as links have it; `on` is what somebody typed. */
  @Costly()
  @Get('as-of')
  asOf(
    @Param('entry_point_id') id: string,
    @PlainQuery() query: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'as-of',
      values: query,
      act: () => this.#past(id, context, query),
      again: (refused) => this.#past(id, context, {}, refused),
    });
  }

  async #past(
    id: string,
    { principal }: OperatorContext,
    query: FormValues,
    refused?: Refused,
  ): Promise<Page> {
    const gate = await this.framed.read(id, principal);
    const { zone } = gate.framing;
    const given = (name: string) => {
      const value = query[name];
      return typeof value === 'string' && value !== '' ? value : undefined;
    };
    const asked = given('on') ?? given('at');
    const at = asked === undefined ? undefined : typedInstant('on', asked, zone);
    const [then, history] = await Promise.all([
      at === undefined ? undefined : this.#readAsOf(id, { at, cursor: given('cursor') }),
      this.history.list(id, { limit: ENTRIES, order: 'desc', cursor: given('changes') }),
    ]);
    const shown = then === undefined ? gate.now : Date.parse(then.at);
    const isWhole = given('cursor') === undefined && then?.next_cursor === null;
    const content = (
      <GatePast {...{ entry_point_id: id, zone, then, isWhole, history, refused }} at={shown} />
    );
    return gatePage(gate, { current: '/as-of', refused }, content);
  }

  /** @throws ApiError 422 if the location did not have the gate then */
  async #readAsOf(id: string, query: Parameters<EntryPointHistoryReads['readAsOf']>[1]) {
    try {
      return await this.history.readAsOf(id, query);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'entry_point_not_found') throw error;
      throw invalidField('on', 'out_of_range', 'The site did not have it then. Choose a later time.');
    }
  }

  #log(entry_point_id: string, { framing, framed }: ResultOf<FramedGate['read']>, deadline?: Deadline) {
    const { activity, named, everywhere } = this;
    const { currency } = framed.location;
    return gateLog({ entry_point_id, zone: framing.zone, currency, activity, named, everywhere, deadline });
  }
}
