import { Get, Param, Post } from '@nestjs/common';
import { ForOperators } from '../../http/operator-access.js';
import { Context, type OperatorContext } from '../../http/request-context.js';
import { ObjectBody, PlainQuery, validForm } from '../../http/validation/valid.js';
import { FacilityLinksController, OperatorUnitsController, UnitNameBody } from '../../operator/index.js';
import { Pages } from '../frame/pages.js';
import { changeUnit, type UnitForm as Form } from './change-unit.js';
import { UnitPage } from './unit-page.js';
import { UnitLocationReader } from './unit-location.reader.js';

/** The set-up of a unit: its locks, its zones, its name. */
@ForOperators('manager')
@Pages('dashboard/units/:unit_id')
export class UnitEquipmentPages {
  constructor(
    private readonly page: UnitPage,
    private readonly units: OperatorUnitsController,
    private readonly links: FacilityLinksController,
    private readonly location: UnitLocationReader,
  ) {}

  @ForOperators('auditor')
  @Get('setup')
  show(@Param('unit_id') unit_id: string, @PlainQuery() _query: object, @Context() context: OperatorContext) {
    return this.page.setup(unit_id, context);
  }

  @Post('locks')
  attachLock(
    @Param('unit_id') unit_id: string,
    @ObjectBody() form: Form,
    @Context() context: OperatorContext,
  ) {
    return changeUnit(this.page, 'setup', 'lock', 'lock_on', { unit_id, form, context }, async () => {
      const { location } = (await this.units.one(unit_id)).data;
      const lock_id = await this.location.lockCalled(location.id, String(form['lock'] ?? ''));
      await this.links.attachLock(unit_id, lock_id, context);
    });
  }

  @Post('locks/:lock_id/remove')
  detachLock(
    @Param('unit_id') unit_id: string,
    @Param('lock_id') lock_id: string,
    @ObjectBody() form: Form,
    @Context() context: OperatorContext,
  ) {
    return changeUnit(this.page, 'setup', `lock-${lock_id}`, 'lock_off', { unit_id, form, context }, () =>
      this.links.detachLock(unit_id, lock_id, context),
    );
  }

  @Post('zones')
  zone(@Param('unit_id') unit_id: string, @ObjectBody() form: Form, @Context() context: OperatorContext) {
    return changeUnit(this.page, 'setup', 'zone', 'zoned', { unit_id, form, context }, () =>
      this.links.zoneUnit(String(form['zone_id']), unit_id, context),
    );
  }

  @Post('zones/:zone_id/remove')
  unzone(
    @Param('unit_id') unit_id: string,
    @Param('zone_id') zone_id: string,
    @ObjectBody() form: Form,
    @Context() context: OperatorContext,
  ) {
    return changeUnit(this.page, 'setup', `zone-${zone_id}`, 'unzoned', { unit_id, form, context }, () =>
      this.links.unzoneUnit(zone_id, unit_id, context),
    );
  }

  @Post('name')
  rename(@Param('unit_id') unit_id: string, @ObjectBody() form: Form, @Context() context: OperatorContext) {
    return changeUnit(this.page, 'setup', 'name', 'renamed', { unit_id, form, context }, () =>
      this.units.rename(unit_id, validForm(UnitNameBody, form), context),
    );
  }

  @Post('retire')
  retire(@Param('unit_id') unit_id: string, @ObjectBody() form: Form, @Context() context: OperatorContext) {
    return changeUnit(this.page, 'setup', 'retire', 'retired', { unit_id, form, context }, () =>
      this.units.retire(unit_id, context),
    );
  }

  @Post('revive')
  revive(@Param('unit_id') unit_id: string, @ObjectBody() form: Form, @Context() context: OperatorContext) {
    return changeUnit(this.page, 'setup', 'revive', 'revived', { unit_id, form, context }, () =>
      this.units.revive(unit_id, context),
    );
  }
}
