import { Get, Param, Post } from '@nestjs/common';
import { EquipmentAdministration, LockChangeBody } from '#api/operator/index.js';
import { LocationDirectory, type LockDocument } from '#domain/locations/index.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { IgnoresQuery, ObjectBody } from '#web/validation/parameters.js';
import { FramedLocation } from '../frame/framed-location.js';
import { thingPage } from '../frame/location-frame.js';
import { Pages } from '../frame/pages.js';
import { equipmentPath, lockPath } from '../links/paths.js';
import { type FormValues, type Page, type Refused, SeeOther } from '../page/page.js';
import { submit } from '../page/submit.js';
import { changesNothing, validChange } from '../parts/initial-values.js';
import { mayDo } from '../parts/roles.js';
import { Removed } from '../parts/times.js';
import { EquipmentItemReader } from './equipment-item.reader.js';
import { LockActs, LockForms } from './lock-forms.js';
import { NeedPill } from './lock-state.js';
import { LockPlace, LockView } from './lock-view.js';
import { NewLocks } from './new-locks.js';

/** A lock: its unit, who may open it, its name, and its end. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Pages('dashboard/locks/:lock_id')
export class LockPages {
  constructor(
    private readonly framed: FramedLocation,
    private readonly directory: LocationDirectory,
    private readonly equipment: EquipmentAdministration,
    private readonly parts: EquipmentItemReader,
    private readonly locks: NewLocks,
  ) {}

  @Costly()
  @IgnoresQuery()
  @Get()
  async show(@Param('lock_id') lock_id: string, @Context() context: OperatorContext): Promise<Page> {
    return this.#page(await this.#lock(lock_id), context);
  }

  @ForOperators('manager')
  @Post('name')
  async change(
    @Param('lock_id') lock_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    const lock = await this.#lock(lock_id);
    return submit({
      form: 'name',
      values: form,
      act: async () => {
        if (changesNothing(form)) return new SeeOther(lockPath(lock_id), 'unchanged');
        await this.equipment.changeLock(lock_id, validChange(LockChangeBody, form), context);
        return new SeeOther(lockPath(lock_id), 'lock');
      },
      again: (refused) => this.#page(lock, context, refused),
    });
  }

  @ForOperators('manager')
  @Costly()
  @Post('unit')
  async putOnUnit(
    @Param('lock_id') lock_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const lock = await this.#lock(lock_id);
    return submit({
      form: 'unit',
      values: form,
      act: async () => {
        await this.locks.putOnUnit(lock, form, context);
        return new SeeOther(lockPath(lock_id), 'lock_on');
      },
      again: (refused) => this.#page(lock, context, refused),
    });
  }

  @ForOperators('manager')
  @Post('remove')
  async remove(
    @Param('lock_id') lock_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    const lock = await this.#lock(lock_id);
    return submit({
      form: 'remove',
      values: form,
      act: async () => {
        await this.equipment.removeLock(lock_id, context);
        return new SeeOther(equipmentPath(lock.location_id), 'lock_removed');
      },
      again: (refused) => this.#page(lock, context, refused),
    });
  }

  /** @throws ApiError 404 */
  async #lock(lock_id: string): Promise<LockDocument> {
    const lock = await this.directory.lock(lock_id);
    if (lock === undefined) throw errorOf('lock_not_found');
    return lock;
  }

  async #page(lock: LockDocument, { principal }: OperatorContext, refused?: Refused): Promise<Page> {
    const { location_id, name, removed_at } = lock;
    const framed = await this.framed.readLocation(location_id);
    const { timezone: zone } = framed.location;
    const isRemoved = removed_at !== undefined;
    const mayChange = !isRemoved && mayDo(principal.role, 'manager');
    const parts = await this.parts.readLock(lock, framed.now);
    const unit = parts.people;
    const content = (
      <>
        <Removed at={removed_at} zone={zone} />
        <LockView {...{ lock, parts, zone, isRemoved }} />
        {mayChange ? <LockForms {...{ lock, unit, refused }} /> : null}
      </>
    );
    const equipment = equipmentPath(location_id);
    const trail = [
      [equipment, 'Equipment'],
      [equipment, 'Locks'],
    ] as const;
    return thingPage(framed, trail, content, {
      title: name,
      tab: 'Lock',
      mark: isRemoved ? <span class="pill l">Removed</span> : <NeedPill need={parts.need} size="l" />,
      ...(unit !== null && { sub: <LockPlace unit={unit} zones={parts.zones} /> }),
      acts: mayChange ? <LockActs {...{ lock, unit }} /> : undefined,
      refused,
    });
  }
}
