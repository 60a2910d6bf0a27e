import { Get, Param, Post } from '@nestjs/common';
import { invalidField } from '#kernel/errors/api-error.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { IgnoresQuery, ObjectBody } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import {
  EquipmentAdministration,
  LockReplacementBody,
  UnitAdministration,
  UnitNameBody,
} from '#api/operator/index.js';
import { Pages } from '../frame/pages.js';
import { type FormValues, lastOf } from '../page/page.js';
import { changeUnit } from './change-unit.js';
import { UnitTabs } from './unit-tabs.js';
import { UnitLocationReader } from './unit-location.reader.js';

const NO_LOCK = 'Choose a spare lock or type a serial.';
const TWO_LOCKS = 'Choose a spare lock or type a serial, not both.';

/** The set-up of a unit: its locks, its zones, its name. */
@ForOperators('manager')
@ForSiteOperators('named')
@Pages('dashboard/units/:unit_id')
export class UnitEquipmentPages {
  constructor(
    private readonly tabs: UnitTabs,
    private readonly units: UnitAdministration,
    private readonly equipment: EquipmentAdministration,
    private readonly location: UnitLocationReader,
  ) {}

  @ForOperators('auditor')
  @Costly()
  @IgnoresQuery()
  @Get('setup')
  show(@Param('unit_id') unit_id: string, @Context() context: OperatorContext) {
    return this.tabs.setup(unit_id, context);
  }

  @Post('locks')
  attachLock(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return changeUnit(this.tabs, 'setup', 'lock', 'lock_on', { unit_id, form, context }, async () => {
      const lock_id = await this.#spare(unit_id, lastOf(form['lock']) ?? '');
      await this.equipment.attachLock(unit_id, lock_id, context);
    });
  }

  @Post('locks/:lock_id/remove')
  detachLock(
    @Param('unit_id') unit_id: string,
    @Param('lock_id') lock_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return changeUnit(this.tabs, 'setup', `lock-${lock_id}`, 'lock_off', { unit_id, form, context }, () =>
      this.equipment.detachLock(unit_id, lock_id, context),
    );
  }

  @Post('locks/:lock_id/replace')
  replaceLock(
    @Param('unit_id') unit_id: string,
    @Param('lock_id') lock_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const request = { unit_id, form, context };
    return changeUnit(this.tabs, 'setup', `replace-${lock_id}`, 'lock_replaced', request, async () => {
      const body = await this.#replacement(unit_id, form);
      await this.equipment.replaceLock(unit_id, lock_id, body, context);
    });
  }

  /** A spare lock, or the serial number of a new one. @throws ApiError 422 */
  async #replacement(unit_id: string, form: FormValues): Promise<LockReplacementBody> {
    const spare = lastOf(form['lock'])?.trim() ?? '';
    const serial = lastOf(form['serial'])?.trim() ?? '';
    if (spare === '' && serial === '') throw invalidField('lock', 'required', NO_LOCK);
    if (spare !== '' && serial !== '') throw invalidField('serial', 'not_allowed', TWO_LOCKS);
    return serial === ''
      ? { lock_id: await this.#spare(unit_id, spare) }
      : validForm(LockReplacementBody, { serial });
  }

  async #spare(unit_id: string, called: string): Promise<string> {
    const { location } = await this.units.readUnit(unit_id);
    return this.location.findLockCalled(location.id, called);
  }

  @Post('zones')
  zone(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return changeUnit(this.tabs, 'setup', 'zone', 'zoned', { unit_id, form, context }, () =>
      this.equipment.addUnitToZone(lastOf(form['zone_id']) ?? '', unit_id, context),
    );
  }

  @Post('zones/:zone_id/remove')
  unzone(
    @Param('unit_id') unit_id: string,
    @Param('zone_id') zone_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return changeUnit(this.tabs, 'setup', `zone-${zone_id}`, 'unzoned', { unit_id, form, context }, () =>
      this.equipment.removeUnitFromZone(zone_id, unit_id, context),
    );
  }

  @Post('name')
  rename(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return changeUnit(this.tabs, 'setup', 'name', 'renamed', { unit_id, form, context }, () =>
      this.units.renameUnit(unit_id, validForm(UnitNameBody, form), context),
    );
  }

  @Post('round-the-clock')
  grantRoundTheClock(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const request = { unit_id, form, context };
    return changeUnit(this.tabs, 'setup', 'round-the-clock', 'round_the_clock', request, () =>
      this.units.grantRoundTheClock(unit_id, context),
    );
  }

  @Post('round-the-clock/end')
  endRoundTheClock(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const request = { unit_id, form, context };
    return changeUnit(this.tabs, 'setup', 'round-the-clock-end', 'round_the_clock_ended', request, () =>
      this.units.endRoundTheClock(unit_id, context),
    );
  }

  @Post('retire')
  retire(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return changeUnit(this.tabs, 'setup', 'retire', 'retired', { unit_id, form, context }, () =>
      this.units.retireUnit(unit_id, context),
    );
  }

  @Post('revive')
  revive(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return changeUnit(this.tabs, 'setup', 'revive', 'revived', { unit_id, form, context }, () =>
      this.units.reviveUnit(unit_id, context),
    );
  }
}
