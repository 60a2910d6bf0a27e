import { hash } from 'node:crypto';
import { Get, Inject, Param, Post } from '@nestjs/common';
import {
  contradictingSince,
  exceptionFaults,
  HoursAdministration,
  type HoursExceptionBody,
  LocationChangeBody,
  LocationAdministration,
} from '#api/operator/index.js';
import type { Calendar } from '#domain/access/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import type { LoggedHours } from '#domain/history/index.js';
import {
  type AccessHours,
  ALWAYS_OPEN,
  type HoursChange,
  hoursChanges,
  MOST_EXCEPTIONS,
  withChanges,
} from '#domain/locations/index.js';
import { ApiError, errorOf, invalidField } from '#kernel/errors/api-error.js';
import { isPossibleId } from '#kernel/possible-id.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { checkEntry, throwAny } from '#web/validation/check.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { type FormValues, keptForm, lastOf, type Page, type Refused, SeeOther } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { FramedLocation } from '../frame/framed-location.js';
import { locationPage } from '../frame/location-frame.js';
import { gatePath, hoursPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import { ThingNames } from '../names/thing-names.js';
import { Section } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { ZoneName } from '../parts/times.js';
import { Exceptions, PutBack } from './exceptions.js';
import { OutsidePreview, WeekForm } from './hours-form.js';
import { WeekHours } from './week-hours.js';
import {
  changeOfDate,
  changesWeek,
  DAY,
  daysOfText,
  faultsOfForm,
  fieldOfChange,
  FOR_GATE,
  isOfDay,
  onlyChanged,
  SEEN,
  seenIn,
  typedDateOf,
  typedDay,
  unusedTimes,
  unusedTimesOfDay,
  weekChangesOf,
} from './hours-form-values.js';
import { HoursHistory, LISTED_CHANGES } from './hours-history.js';
import { NextDays } from './hours-picture.js';
import {
  changesText,
  type DaysOutcome,
  outcomeIn,
  outcomeText,
  type RemovedDay,
  removedIn,
  savedPath,
  savedText,
} from './hours-texts.js';
import { picturedDays, picturedWeek } from './pictured-days.js';

const TOO_MANY_DAYS = `The list may have at most ${MOST_EXCEPTIONS} days. Remove days that are over.`;

interface Beside {
  readonly refused?: Refused;
  /** Shown above the form. */
  readonly above?: Page['content'] | undefined;
  /** Names the hours that a preview shows. */
  readonly previewed?: string;
  /** Of the address, which names what the last action did. */
  readonly query?: FormValues;
}

/** When the gates of a location are open. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/locations/:location_id/hours')
export class HoursPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly hours: HoursAdministration,
    private readonly locations: LocationAdministration,
    private readonly names: ThingNames,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  @Get()
  async show(
    @Param('location_id') location_id: string,
    @PlainQuery() query: FormValues,
    @Context() context: OperatorContext,
  ) {
    const outcome = outcomeIn(query);
    const above = outcome && (await this.#putBack(location_id, outcome, context));
    return this.#page(location_id, context, { query, above });
  }

  /** Saves the week, and the days typed below it. If tenants came outside of the new hours, it shows them first, and saves when the form confirms. */
  @ForOperators('manager')
  @Costly()
  @Post()
  change(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const { previewed, [FOR_GATE]: gate, ...values } = form;
    const path = pathOfForm(location_id, lastOf(gate));
    const act = async () => {
      throwAny(unusedTimes(values));
      const alone = typedDay(values);
      const added = [
        ...(alone === undefined ? [] : [alone]),
        ...(hasTypedDays(values) ? daysIn(values) : []),
      ];
      if (!changesWeek(values) && added.length === 0) return new SeeOther(path, 'unchanged');
      const { hours, revision, changes } = await this.#merged(location_id, values, (seen) => [
        ...weekChangesOf(values, seen),
        ...added.map((day) => changeOfDate(day.date, day, seen)),
      ]);
      if (changes.length === 0) return new SeeOther(path, 'unchanged');
      const digest = digestOf(hours);
      if (lastOf(previewed) !== digest) {
        const above = await this.#outside(location_id, hours, context);
        if (above !== undefined) {
          const refused = keptForm('hours', onlyChanged(withoutSeen(values)));
          return this.#page(location_id, context, { refused, above, previewed: digest });
        }
      }
      await this.hours.saveHours(location_id, hours, revision, context);
      return new SeeOther(savedPath(path, revision), 'hours');
    };
    return this.#submit(location_id, { form: 'hours', values, act }, context);
  }

  /** Adds days with hours of their own. A day that is there already is replaced. Changes of the week stay in the form, unsaved. */
  @ForOperators('manager')
  @Post('days')
  addDays(
    @Param('location_id') location_id: string,
    @ObjectBody() values: FormValues,
    @Context() context: OperatorContext,
  ) {
    const act = async () => {
      const added = daysIn(values);
      await this.#save(
        location_id,
        values,
        (seen) => added.map((day) => changeOfDate(day.date, day, seen)),
        context,
      );
      return this.#next(location_id, outcomeOf(added)!, { ...values, days: '' }, context);
    };
    return this.#submit(location_id, { form: 'days', values, act }, context);
  }

  /** As {@link addDays}, for one day in fields of its own. */
  @ForOperators('manager')
  @Post('day')
  addDay(
    @Param('location_id') location_id: string,
    @ObjectBody() values: FormValues,
    @Context() context: OperatorContext,
  ) {
    const act = async () => {
      throwAny(unusedTimesOfDay(values));
      const day = typedDay(values);
      if (day === undefined) throw invalidField(DAY.date, 'required', 'Enter the date of the day.');
      await this.#save(location_id, values, (seen) => [changeOfDate(day.date, day, seen)], context);
      const left = Object.fromEntries(Object.entries(values).filter(([name]) => !isOfDay(name)));
      return this.#next(location_id, outcomeOf([day])!, left, context);
    };
    return this.#submit(location_id, { form: 'day', values, act }, context);
  }

  @ForOperators('manager')
  @Post('days/remove')
  removeDay(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const { date, ...values } = form;
    const act = async () => {
      const removed = lastOf(date) ?? '';
      const was = await this.#save(
        location_id,
        values,
        (seen) => [changeOfDate(removed, null, seen)],
        context,
      );
      return this.#next(location_id, { removed, was }, values, context);
    };
    return this.#submit(location_id, { form: 'days', values, act }, context);
  }

  /** Puts a removed day back, with the hours that it had. */
  @ForOperators('manager')
  @Post('days/restore')
  restoreDay(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const { restored: asked, ...values } = form;
    const act = async () => {
      const removed = removedIn(lastOf(asked) ?? '');
      const day = removed && (await this.#removedDay(location_id, removed));
      if (day === undefined) throw errorOf('hours_changed');
      await this.#save(location_id, values, (seen) => [changeOfDate(day.date, day, seen)], context);
      return this.#next(location_id, { restored: day.date }, values, context);
    };
    return this.#submit(location_id, { form: 'days', values, act }, context);
  }

  /** Runs the action of a form. If somebody else saves between its reading and its writing, it runs again. */
  #submit(
    location_id: string,
    { form, values, act }: { form: string; values: FormValues; act: () => Promise<SeeOther | Page> },
    context: OperatorContext,
  ) {
    return submit({
      form,
      values: onlyChanged(values),
      act: () => mergingAgain(act),
      again: (refused) => this.#page(location_id, context, { refused: sawChanges(refused) }),
    });
  }

  /** The hours of now with changes of those that a form showed. @throws ApiError 409 if others contradict anything typed in it, 422 */
  async #merged(location_id: string, form: FormValues, changesOf: ChangesOf) {
    const stand = await this.hours.readSeen(location_id, seenIn(form));
    const changes = changesOf(stand.seen);
    const theirs = contradictingSince(stand, [...weekChangesOf(form, stand.seen), ...changes]);
    if (theirs.length > 0) throw changedMeanwhile(theirs, form);
    const { revision, current } = stand;
    const hours = valid(withChanges(current, changes), form);
    return { hours, revision, changes: hoursChanges(current, hours) };
  }

  /** @returns the revision of the hours before */
  async #save(location_id: string, form: FormValues, changesOf: ChangesOf, context: OperatorContext) {
    const { hours, revision } = await this.#merged(location_id, form, changesOf);
    await this.hours.saveHours(location_id, hours, revision, context);
    return revision;
  }

  /** The page after an action on days. What else was typed in the form stays there, unsaved. */
  async #next(location_id: string, outcome: DaysOutcome, left: FormValues, context: OperatorContext) {
    if (!changesWeek(left) && !hasTypedDays(left) && typedDateOf(left) === '')
      return new SeeOther(outcomePath(location_id, outcome), 'days');
    const { current } = await this.hours.readSeen(location_id, undefined);
    const above = (
      <>
        <p class="said" role="status" tabIndex={-1} autofocus>
          {outcomeText(outcome, current?.exceptions ?? [])} Your other changes are not saved yet.
        </p>
        {await this.#putBack(location_id, outcome, context)}
      </>
    );
    const refused = keptForm('hours', onlyChanged(withoutSeen(left)));
    return this.#page(location_id, context, { refused, above });
  }

  /** The button that puts a removed day back. */
  async #putBack(location_id: string, outcome: DaysOutcome, { principal }: OperatorContext) {
    if (!('removed' in outcome) || !mayDo(principal.role, 'manager')) return undefined;
    const { current } = await this.hours.readSeen(location_id, undefined);
    const isThere = current?.exceptions.some(({ date }) => date === outcome.removed);
    const day = isThere ? undefined : await this.#removedDay(location_id, outcome);
    return day && <PutBack path={hoursPath(location_id)} day={day} was={outcome.was!} />;
  }

  /** A day that was removed, with its hours. Undefined if it was not there. */
  async #removedDay(location_id: string, { removed, was }: RemovedDay) {
    if (was === null) return undefined;
    const { seen } = await this.hours.readSeen(location_id, was);
    return seen?.exceptions.find(({ date }) => date === removed);
  }

  /** The tenants who came outside of new hours. Undefined: none. */
  async #outside(location_id: string, access_hours: AccessHours, context: OperatorContext) {
    const options = { dry_run: true };
    const changed = await this.locations.changeLocation(location_id, { access_hours }, options, context);
    const { taps_outside_hours: taps = [], timezone } = changed;
    if (taps.length === 0) return undefined;
    const tenants = await this.names.findTenants(taps.map(({ tenant_id }) => tenant_id));
    const path = hoursPath(location_id);
    return <OutsidePreview {...{ path, taps, tenants }} zone={timezone} />;
  }

  async #page(
    location_id: string,
    { principal }: OperatorContext,
    { refused, above, previewed, query = {} }: Beside = {},
  ): Promise<Page> {
    const framed = await this.framed.readLocation(location_id);
    const { timezone, company_id } = framed.location;
    const { current: hours, revision } = await this.hours.readSeen(location_id, undefined);
    const now = await this.clocks.now(company_id);
    const history = await this.hours.listNewest(location_id, LISTED_CHANGES);
    const path = hoursPath(location_id);
    const week = refused && refusedWeek(refused);
    const mayChange = mayDo(principal.role, 'manager');
    const shown = hours ?? ALWAYS_OPEN;
    const content = (
      <>
        {above}
        <div class="split week-first">
          <Section title="Access hours">
            <p>
              The gates, doors and elevators of the site keep these hours, in the time zone{' '}
              <ZoneName zone={timezone} />. Locks of units never close by the hour.
            </p>
            {hours === null ? <p>They are open always.</p> : null}
            {mayChange ? (
              <WeekForm {...{ path, hours, revision, previewed }} refused={week} />
            ) : (
              <WeekHours week={picturedWeek(shown, this.calendar)} hours={hours} />
            )}
          </Section>
          <NextDays days={picturedDays(shown, timezone, now, this.calendar)} zone={timezone} />
        </div>
        <Exceptions {...{ path, mayChange, refused }} hours={shown} />
        <HoursHistory {...history} zone={timezone} />
      </>
    );
    return locationPage(framed, '/hours', content, {
      refused,
      ...outcomeOfAddress(query, shown, history.changes),
    });
  }
}

/** A refused form of days as that of the week, whose fields it sent, too. */
function refusedWeek(refused: Refused): Refused {
  const isOfDays = refused.form === 'days' || refused.form === 'day';
  return isOfDays ? { ...keptForm('hours', refused.values), errors: refused.errors } : refused;
}

/** What the last action did, by the address that it led to. */
function outcomeOfAddress(
  query: FormValues,
  { exceptions }: AccessHours,
  changes: readonly LoggedHours[],
): { outcome?: string } {
  const ofDays = outcomeIn(query);
  const outcome = ofDays ? outcomeText(ofDays, exceptions) : savedText(query, changes);
  return outcome === undefined ? {} : { outcome };
}

/** Where a form of the week leads: to the site's page, or to that of the gate which shows it, too. */
function pathOfForm(location_id: string, gate: string | undefined): string {
  return gate === undefined || !isPossibleId(gate) ? hoursPath(location_id) : `${gatePath(gate)}/hours`;
}

type ChangesOf = (seen: AccessHours | null) => HoursChange[];

const ATTEMPTS = 5;

/** Runs again if somebody else saved hours between the reading and the writing: then both are merged. */
async function mergingAgain<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      const isRace =
        error instanceof ApiError && error.code === 'hours_changed' && error.details === undefined;
      if (!isRace || attempt === ATTEMPTS) throw error;
    }
  }
}

/** @param theirs what others have made of the same parts */
function changedMeanwhile(theirs: readonly HoursChange[], form: FormValues): ApiError {
  const details = theirs.map((change) => ({
    field: fieldOfChange(change, typedDateOf(form)),
    code: 'conflict' as const,
    message: `Somebody else has changed this meanwhile. ${changesText([change])}. Send your change again if it shall replace that.`,
  }));
  return errorOf('hours_changed', { details });
}

/** A form that was refused because others changed something shows that: sent again, it replaces it. */
function sawChanges(refused: Refused): Refused {
  return refused.status === 409 ? { ...refused, values: withoutSeen(refused.values) } : refused;
}

function withoutSeen({ [SEEN]: _seen, ...values }: FormValues): FormValues {
  return values;
}

function outcomePath(location_id: string, outcome: DaysOutcome | undefined): string {
  const named = Object.entries(outcome ?? {}).map(([name, value]) => [name, String(value)] as const);
  return withQuery(hoursPath(location_id), Object.fromEntries(named));
}

function outcomeOf(added: readonly HoursExceptionBody[]): DaysOutcome | undefined {
  const [first] = added;
  return first && { added: added.length, first: first.date };
}

/** Names hours: a form that is edited after its preview asks for others. */
function digestOf(access_hours: AccessHours): string {
  return hash('sha256', JSON.stringify(access_hours));
}

function hasTypedDays(form: FormValues): boolean {
  return (lastOf(form['days']) ?? '').trim() !== '';
}

/** @throws ApiError 422 that names the line */
function daysIn(form: FormValues): HoursExceptionBody[] {
  return daysOfText(lastOf(form['days']) ?? '');
}

/** @throws ApiError 422 */
function valid(access_hours: AccessHours, form: FormValues): AccessHours {
  const { exceptions } = access_hours;
  if (exceptions.length > MOST_EXCEPTIONS) throw invalidField('days', 'too_long', TOO_MANY_DAYS);
  const faults = [
    ...(checkEntry(LocationChangeBody, { access_hours }) ?? []),
    ...exceptionFaults(exceptions, 'access_hours.exceptions'),
  ];
  throwAny(faultsOfForm(faults, access_hours, typedDateOf(form)));
  return access_hours;
}
