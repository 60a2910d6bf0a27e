import { hash } from 'node:crypto';
import { Get, Inject, Param, Post } from '@nestjs/common';
import {
  type AccessHoursBody,
  exceptionFaults,
  type HoursExceptionBody,
  LocationChangeBody,
  LocationAdministration,
} from '#api/operator/index.js';
import type { Calendar } from '#domain/access/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { type AccessHours, MOST_EXCEPTIONS } from '#domain/locations/index.js';
import { invalidField } from '#kernel/errors/api-error.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import { ForOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { checkEntry, throwAny } from '#web/validation/check.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { type FormValues, keptForm, lastOf, type Page, type Refused, SeeOther } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { FramedLocation } from '../frame/framed-location.js';
import { locationPage } from '../frame/location-frame.js';
import { hoursPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import { ThingNames } from '../names/thing-names.js';
import { Section } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { ZoneName } from '../parts/times.js';
import { Exceptions, OutsidePreview, WeekForm } from './hours-form.js';
import { changesWeek, daysOfText, faultsOfForm, hoursOfForm } from './hours-form-values.js';
import { HoursPicture } from './hours-picture.js';
import { type DaysOutcome, outcomeIn, outcomeText } from './hours-texts.js';
import { ALWAYS_OPEN, picturedDays } from './pictured-days.js';

const TOO_MANY_DAYS = `The list may have at most ${MOST_EXCEPTIONS} days. Remove days that are over.`;

interface Beside {
  readonly refused?: Refused;
  /** Shown above the form. */
  readonly above?: Page['content'];
  /** Names the hours that a preview shows. */
  readonly previewed?: string;
  /** Shown after the message of the last action. */
  readonly outcome?: string;
}

/** When the gates of a location are open. */
@ForOperators('auditor')
@Pages('dashboard/locations/:location_id/hours')
export class HoursPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly locations: LocationAdministration,
    private readonly names: ThingNames,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  @Get()
  show(
    @Param('location_id') location_id: string,
    @PlainQuery() query: FormValues,
    @Context() context: OperatorContext,
  ) {
    const outcome = outcomeIn(query);
    return this.#page(location_id, context, outcome && { outcome: outcomeText(outcome) });
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
    const { previewed, ...values } = form;
    return submit({
      form: 'hours',
      values,
      act: async () => {
        const added = hasTypedDays(values) ? daysIn(values) : [];
        if (!changesWeek(values) && added.length === 0)
          return new SeeOther(hoursPath(location_id), 'unchanged');
        const { access_hours: current, timezone } = await this.locations.readLocation(location_id);
        const access_hours = valid(withDays(hoursOfForm(values, current), added));
        const digest = digestOf(access_hours);
        if (lastOf(previewed) !== digest) {
          const { taps_outside_hours: taps = [] } = await this.locations.changeLocation(
            location_id,
            { access_hours },
            { dry_run: true },
            context,
          );
          if (taps.length > 0) {
            const above = await this.#outside(location_id, timezone, taps);
            const refused = keptForm('hours', values);
            return this.#page(location_id, context, { refused, above, previewed: digest });
          }
        }
        await this.#save(location_id, access_hours, context);
        return new SeeOther(outcomePath(location_id, outcomeOf(added)), 'hours');
      },
      again: (refused) => this.#page(location_id, context, { refused }),
    });
  }

  /** Adds days with hours of their own. A day that is there already is replaced. Changes of the week stay in the form, unsaved. */
  @ForOperators('manager')
  @Post('days')
  addDays(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'days',
      values: form,
      act: async () => {
        const added = daysIn(form);
        const current = (await this.#hours(location_id)) ?? ALWAYS_OPEN;
        await this.#save(location_id, valid(withDays(current, added)), context);
        return this.#next(location_id, outcomeOf(added)!, { ...form, days: '' }, context);
      },
      again: (refused) => this.#page(location_id, context, { refused }),
    });
  }

  @ForOperators('manager')
  @Post('days/remove')
  removeDay(
    @Param('location_id') location_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const { date, ...values } = form;
    return submit({
      form: 'days',
      values,
      act: async () => {
        const removed = lastOf(date) ?? '';
        const current = (await this.#hours(location_id)) ?? ALWAYS_OPEN;
        const exceptions = current.exceptions.filter((one) => one.date !== removed);
        await this.#save(location_id, { ...current, exceptions }, context);
        return this.#next(location_id, { removed }, values, context);
      },
      again: (refused) => this.#page(location_id, context, { refused }),
    });
  }

  /** The page after an action on days. What else was typed in the form stays there, unsaved. */
  async #next(location_id: string, outcome: DaysOutcome, left: FormValues, context: OperatorContext) {
    if (!changesWeek(left) && !hasTypedDays(left))
      return new SeeOther(outcomePath(location_id, outcome), 'days');
    const above = (
      <p class="said" role="status" tabIndex={-1} autofocus>
        {outcomeText(outcome)} Your other changes are not saved yet.
      </p>
    );
    return this.#page(location_id, context, { refused: keptForm('hours', left), above });
  }

  #save(location_id: string, access_hours: AccessHoursBody, context: OperatorContext) {
    return this.locations.changeLocation(location_id, { access_hours }, {}, context);
  }

  async #hours(location_id: string): Promise<AccessHours | null> {
    return (await this.locations.readLocation(location_id)).access_hours;
  }

  async #outside(
    location_id: string,
    timezone: string,
    taps: Parameters<typeof OutsidePreview>[0]['taps'],
  ): Promise<Page['content']> {
    const tenants = await this.names.findTenants(taps.map(({ tenant_id }) => tenant_id));
    const path = hoursPath(location_id);
    return <OutsidePreview {...{ path, taps, tenants }} zone={timezone} />;
  }

  async #page(
    location_id: string,
    { principal }: OperatorContext,
    { refused, above, previewed, outcome }: Beside = {},
  ): Promise<Page> {
    const framed = await this.framed.readLocation(location_id);
    const { access_hours: hours, timezone, company_id } = framed.location;
    const now = await this.clocks.now(company_id);
    const path = hoursPath(location_id);
    const week = refused?.form === 'days' ? keptForm('hours', refused.values) : refused;
    const mayChange = mayDo(principal.role, 'manager');
    const shown = hours ?? ALWAYS_OPEN;
    const content = (
      <>
        {above}
        <Section title="Access hours">
          <p>
            The gates, doors and elevators of the location keep these hours, in the time zone{' '}
            <ZoneName zone={timezone} />. Locks of units never close by the hour.
          </p>
          {hours === null ? <p>They are open always.</p> : null}
          {mayChange ? <WeekForm {...{ path, hours, previewed }} refused={week} /> : null}
        </Section>
        <Section title="The next 14 days">
          <HoursPicture days={picturedDays(shown, timezone, now, this.calendar)} />
        </Section>
        <Exceptions {...{ path, mayChange, refused }} hours={shown} />
      </>
    );
    return locationPage(framed, '/hours', content, { refused, outcome });
  }
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
function digestOf(access_hours: AccessHoursBody): string {
  return hash('sha256', JSON.stringify(access_hours));
}

function hasTypedDays(form: FormValues): boolean {
  return (lastOf(form['days']) ?? '').trim() !== '';
}

/** @throws ApiError 422 that names the line */
function daysIn(form: FormValues): HoursExceptionBody[] {
  return daysOfText(lastOf(form['days']) ?? '');
}

/** Hours with more days of their own, which replace those of the same dates. @throws ApiError 422 if that makes too many */
function withDays(hours: AccessHoursBody, added: readonly HoursExceptionBody[]): AccessHoursBody {
  const dates = new Set(added.map(({ date }) => date));
  const kept = (hours.exceptions ?? []).filter(({ date }) => !dates.has(date));
  const exceptions = [...kept, ...added];
  if (exceptions.length > MOST_EXCEPTIONS) throw invalidField('days', 'too_long', TOO_MANY_DAYS);
  return { ...hours, exceptions };
}

/** @throws ApiError 422 */
function valid(access_hours: AccessHoursBody): AccessHoursBody {
  const faults = [
    ...(checkEntry(LocationChangeBody, { access_hours }) ?? []),
    ...exceptionFaults(access_hours.exceptions ?? [], 'access_hours.exceptions'),
  ];
  throwAny(faultsOfForm(faults, access_hours));
  return access_hours;
}
