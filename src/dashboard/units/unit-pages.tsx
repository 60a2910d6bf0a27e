import { Get, Param, Post } from '@nestjs/common';
import { toTimestamp } from '#kernel/timestamp.js';
import { invalidField } from '#kernel/errors/api-error.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { UnitAdministration, OverrideBody } from '#api/operator/index.js';
import { type FormValues, keptForm, lastOf, type Page, SeeOther } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { SLIDER_LABEL } from './as-of-forms.js';
import { typedInstant } from '../parts/typed-instant.js';
import { changeUnit } from './change-unit.js';
import { unitPath } from '../links/paths.js';
import { askedForm } from './unit-acts.js';
import { UnitAtInstantPage } from './unit-at-instant-page.js';
import { UnitLocationReader } from './unit-location.reader.js';
import { endAt, isEnd, reasonOf, USUAL_REASON } from './override-forms.js';
import { refuseUnseen, SEEN } from './seen-override.js';
import type { UnitDetail } from './unit-detail.js';
import { periodOf } from './unit-time.js';
import { UnitTabs } from './unit-tabs.js';

const MINUTE_MS = 60_000;

/** @param minute whole minutes since 1970, from the slider @throws ApiError 422 if it is no number */
function instantOf(minute: string): number {
  if (!/^\d{1,9}$/.test(minute))
    throw invalidField(
      'minute',
      'out_of_range',
      `“${SLIDER_LABEL}” must be whole minutes since 1970, of at most nine digits.`,
    );
  return Number(minute) * MINUTE_MS;
}

/** The value of a query parameter; undefined if empty. @throws ApiError 422 if it is given twice */
function saidOnce(query: FormValues, name: string): string | undefined {
  const said = query[name];
  if (said === undefined || typeof said === 'string') return said || undefined;
  throw invalidField(name, 'duplicate', `The address must say “${name}” only once.`);
}

/** The page of a unit, and overrides. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/units/:unit_id')
export class UnitPages {
  constructor(
    private readonly tabs: UnitTabs,
    private readonly past: UnitAtInstantPage,
    private readonly units: UnitAdministration,
    private readonly location: UnitLocationReader,
  ) {}

  /** As it is, or with `at` as it was at that instant, for a link that can be sent. */
  @Costly()
  @Get()
  async show(
    @Param('unit_id') unit_id: string,
    @PlainQuery() query: FormValues,
    @Context() context: OperatorContext,
  ): Promise<Page | SeeOther> {
    const on = saidOnce(query, 'on');
    const zone = saidOnce(query, 'zone') ?? 'UTC';
    const minute = saidOnce(query, 'minute');
    const at = saidOnce(query, 'at');
    if (on !== undefined) return this.#seenOn(unit_id, { on, zone }, context);
    if (minute !== undefined)
      return new SeeOther(`${unitPath(unit_id)}?at=${toTimestamp(instantOf(minute))}`);
    if (at !== undefined) return this.past.showAt(unit_id, at, context);
    // The palette, the list of whom to call and the menu of other tabs lead here.
    const form = askedForm(saidOnce(query, 'do'));
    const asked = form === undefined ? undefined : keptForm(form, {});
    return this.tabs.access(unit_id, context, asked, periodOf(saidOnce(query, 'days')));
  }

  @ForOperators('manager')
  @Post('override')
  override(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const name = lastOf(form['override']) === 'lockout' ? 'lock-out' : 'let-in';
    return changeUnit(this.tabs, 'access', name, 'override', { unit_id, form, context }, async () => {
      const unit = await this.units.readUnit(unit_id);
      if (name === 'let-in') assertRented(unit);
      const { until, override, [SEEN]: seen, [USUAL_REASON]: picked, ...others } = form;
      const reason = reasonOf(lastOf(picked), lastOf(form['reason']));
      const asked = { seen: lastOf(seen), override: lastOf(override), reason };
      const unseen = refuseUnseen(asked, unit);
      if (unseen !== undefined) throw unseen;
      const expires_at = await this.#endOf(unit, lastOf(until), lastOf(form['expires_at']));
      const body = validForm(OverrideBody, { ...others, override, reason, expires_at });
      await this.units.setOverride(unit_id, body, context);
    });
  }

  @ForOperators('manager')
  @Post('override/clear')
  clearOverride(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return changeUnit(this.tabs, 'access', 'clear', 'override_cleared', { unit_id, form, context }, () =>
      this.units.clearOverride(unit_id, context),
    );
  }

  /** The end of an override: one that is picked, or the typed one; empty for none. */
  async #endOf(
    { company_id, location }: Pick<UnitDetail, 'company_id' | 'location'>,
    picked: string | undefined,
    typed: string | undefined,
  ): Promise<string> {
    if (!isEnd(picked)) return typed ? typedInstant('expires_at', typed, location.timezone) : '';
    const { clock } = await this.location.readCompany(company_id);
    return endAt(picked, clock.now(), location.timezone);
  }

  async #seenOn(
    unit_id: string,
    values: { readonly on: string; readonly zone: string },
    context: OperatorContext,
  ) {
    await this.units.readUnit(unit_id);
    return submit({
      form: 'as-of',
      values,
      act: () => {
        const at = typedInstant('on', values.on, values.zone);
        return Promise.resolve(new SeeOther(`${unitPath(unit_id)}?at=${encodeURIComponent(at)}`));
      },
      again: (refused) => this.tabs.access(unit_id, context, refused),
    });
  }
}

/** @throws ApiError 422 where nobody could be let in, but whoever moves in next would be */
function assertRented({ facts, unit_name }: Pick<UnitDetail, 'facts' | 'unit_name'>): void {
  if (facts.occupied) return;
  throw invalidField('until', 'not_allowed', `Nobody rents ${unit_name}, so there is nobody to let in.`);
}
