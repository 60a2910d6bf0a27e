import { Get, Param, Post } from '@nestjs/common';
import { EquipmentAdministration, LockChangeBody, NameBody } from '#api/operator/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { IgnoresQuery, ObjectBody } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { FramedLocation } from '../frame/framed-location.js';
import { locationPage } from '../frame/location-frame.js';
import { Pages } from '../frame/pages.js';
import { equipmentPath, lockPath, zonePath } from '../links/paths.js';
import { type Done, type Page, type Refused, SeeOther } from '../page/page.js';
import { submit } from '../page/submit.js';
import { changesNothing, validChange } from '../parts/initial-values.js';
import { EquipmentItem, type Item } from './equipment-item.js';

/** A zone or a lock: its name, the format of its keys, and its end. */
@ForOperators('manager')
@ForSiteOperators('named')
@Pages('dashboard')
export class EquipmentItemPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly directory: LocationDirectory,
    private readonly equipment: EquipmentAdministration,
  ) {}

  @IgnoresQuery()
  @Get('zones/:zone_id')
  async zone(@Param('zone_id') zone_id: string): Promise<Page> {
    return this.#page(await this.#zone(zone_id));
  }

  @Post('zones/:zone_id/name')
  async renameZone(
    @Param('zone_id') zone_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return this.#change(await this.#zone(zone_id), { name: 'name', form }, async () => {
      await this.equipment.renameZone(zone_id, validForm(NameBody, form), context);
      return 'zone_renamed';
    });
  }

  @Post('zones/:zone_id/remove')
  async removeZone(
    @Param('zone_id') zone_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return this.#change(await this.#zone(zone_id), { name: 'remove', form }, async () => {
      await this.equipment.removeZone(zone_id, context);
      return 'zone_removed';
    });
  }

  @IgnoresQuery()
  @Get('locks/:lock_id')
  async lock(@Param('lock_id') lock_id: string): Promise<Page> {
    return this.#page(await this.#lock(lock_id));
  }

  @Post('locks/:lock_id/name')
  async changeLock(
    @Param('lock_id') lock_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return this.#change(await this.#lock(lock_id), { name: 'name', form }, async () => {
      if (changesNothing(form)) return 'unchanged';
      await this.equipment.changeLock(lock_id, validChange(LockChangeBody, form), context);
      return 'lock';
    });
  }

  @Post('locks/:lock_id/remove')
  async removeLock(
    @Param('lock_id') lock_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return this.#change(await this.#lock(lock_id), { name: 'remove', form }, async () => {
      await this.equipment.removeLock(lock_id, context);
      return 'lock_removed';
    });
  }

  /** @throws ApiError 404 */
  async #zone(zone_id: string): Promise<Item> {
    const zone = await this.directory.zone(zone_id);
    if (zone === undefined) throw errorOf('zone_not_found');
    return { kind: 'zone', path: zonePath(zone_id), ...zone };
  }

  /** @throws ApiError 404 */
  async #lock(lock_id: string): Promise<Item> {
    const lock = await this.directory.lock(lock_id);
    if (lock === undefined) throw errorOf('lock_not_found');
    return { kind: 'lock', path: lockPath(lock_id), ...lock };
  }

  #change(
    item: Item,
    { name, form }: { readonly name: string; readonly form: object },
    change: () => Promise<Done>,
  ) {
    return submit({
      form: name,
      values: form,
      act: async () => new SeeOther(equipmentPath(item.location_id), await change()),
      again: (refused) => this.#page(item, refused),
    });
  }

  async #page(item: Item, refused?: Refused): Promise<Page> {
    const framed = await this.framed.readLocation(item.location_id);
    const content = <EquipmentItem item={item} zone={framed.location.timezone} refused={refused} />;
    return locationPage(framed, '/equipment', content, { title: item.name, refused });
  }
}
