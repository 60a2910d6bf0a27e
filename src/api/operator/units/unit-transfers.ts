import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { presentDecision, UnitAccess } from '#domain/access/index.js';
import { TransferTenant, UnitDirectory, type UnitDocument, type UnitRefusal } from '#domain/units/index.js';
import { ApiError, invalidField } from '#kernel/errors/api-error.js';
import { parseTimestamp, toTimestamp } from '#kernel/timestamp.js';
import {
  keysStillValid,
  LetUnitWarnings,
  OTHER_LOCATION,
  refusalError,
  warningsOf,
  type WriteWarning,
} from '#api/push/index.js';
import type { RequestContext } from '#web/request-context.js';
import { found } from '../facility.refusals.js';
import { KeysOutstanding } from '../keys-outstanding.js';
import type { TransferBody } from './operator-units.dto.js';

/** Most units that a list of targets has. */
const MOST_TARGETS = 500;
const PAGE = 500;

/** What a PMS sends instead of a transfer. */
const WRITES_OF_A_PMS =
  'Its PMS moves the tenant, by two writes: the new unit with the same pms_tenant_id, and the old one as not occupied.';

/** Moves tenants between standalone units of a location (decisions §6). */
@Injectable()
export class UnitTransfers {
  constructor(
    private readonly units: UnitDirectory,
    private readonly access: UnitAccess,
    private readonly keys: KeysOutstanding,
    private readonly ofLetUnits: LetUnitWarnings,
    private readonly commands: CommandBus,
  ) {}

  /** @throws ApiError 404, 409, 422. @throws StoreUnavailableError */
  async transfer(unit_id: string, { to_unit_id }: TransferBody, context: RequestContext) {
    const from = found(await this.units.byUnitId(unit_id), 'unit_not_found');
    const to = await this.units.byUnitId(to_unit_id);
    if (to?.location_id !== from.location_id)
      throw invalidField('to_unit_id', 'unknown_value', OTHER_LOCATION);
    const units = { from: from.crm_unit_id, to: to.crm_unit_id };
    const outcome = await this.commands.execute(new TransferTenant(from.company_id, units, context));
    if (outcome.kind === 'rejected') throw transferError(outcome.refusal);
    const { taken, handedOver } = outcome;
    const ofPasses = await this.ofLetUnits.ofWrite(taken);
    const warnings = [...warningsOf(handedOver), ...(await this.#keysStillValid(from)), ...ofPasses];
    return {
      unit_id,
      to_unit_id,
      applied_at: toTimestamp(taken.applied_at),
      ...(warnings.length === 0 ? {} : { warnings }),
      // The unit may have changed since the attempt whose answer this is.
      ...(taken.isRecovered ? {} : { access: await this.#decide(to_unit_id) }),
    };
  }

  /** Vacant standalone units of a location, at most 500, in the order in which they were created. */
  async findTargets(location_id: string): Promise<UnitDocument[]> {
    const targets: UnitDocument[] = [];
    for (let from: string | undefined; ;) {
      const page = await this.units.listOfLocation({ location_id, idle_state: 'vacant', from, limit: PAGE });
      const others = page.filter(({ unit_id }) => unit_id !== from);
      targets.push(...others.filter(({ source_type }) => source_type === 'standalone'));
      if (page.length < PAGE || targets.length >= MOST_TARGETS) return targets.slice(0, MOST_TARGETS);
      from = page.at(-1)!.unit_id;
    }
  }

  async #decide(unit_id: string) {
    const unit = found(await this.units.byUnitId(unit_id), 'unit_not_found');
    const [decision] = await this.access.decide([unit]);
    return presentDecision(decision!);
  }

  /** Keys to gates stay the tenant's, who has the other unit. */
  async #keysStillValid(from: Parameters<KeysOutstanding['ofUnit']>[0]): Promise<WriteWarning[]> {
    const keys = (await this.keys.ofUnit(from, [])).filter((key) => 'lock_id' in key);
    return keysStillValid(keys.map(({ expires_at }) => ({ expires_at: parseTimestamp(expires_at)! })));
  }
}

function transferError(refusal: UnitRefusal): ApiError {
  const error = refusalError(refusal, 'standalone');
  if (refusal.code !== 'other_source') return error;
  return new ApiError(error.status, error.message, { code: error.code, hint: WRITES_OF_A_PMS });
}
