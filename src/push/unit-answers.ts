import { Injectable } from '@nestjs/common';
import { presentDecision, UnitAccess } from '../access/index.js';
import { toTimestamp } from '../config/clock.js';
import { errorOf, validationFailed } from '../http/api-error.js';
import { type Envelope, envelope } from '../http/pipeline/answer.js';
import { identifierRule, toCents } from '../http/validation/rules.js';
import { fieldFault } from '../http/validation/valid.js';
import {
  AMOUNT_FACTS,
  type ChangeableFacts,
  isUnitId,
  type MoveTenantIn,
  UnitDirectory,
  type UnitOutcome,
  type UnitState,
  WARNING_MESSAGES,
  WRITABLE_FACTS,
  type Writer,
} from '../units/index.js';
import { refusalError } from './refusals.js';
import type { FactsBody, MoveInBody } from './unit.dto.js';

type Done = UnitOutcome & { readonly kind: 'done' };

export interface WriteWarning {
  readonly code: keyof typeof WARNING_MESSAGES;
  readonly message: string;
  /** Only with `tenant_replaced`. */
  readonly former_pms_tenant_id?: string;
}

/** Resolves the unit of a path, and makes the answer to a write (specification §4.1). */
@Injectable()
export class UnitAnswers {
  constructor(
    private readonly units: UnitDirectory,
    private readonly access: UnitAccess,
  ) {}

  /**
   * The `crm_unit_id` that a path names. The unit need not exist.
   * @param key the path's `{crm_unit_id}`, or `ulid:{unit_id}`
   * @throws ApiError 404, or 422 for a key that no unit may have. @throws StoreUnavailableError
   */
  async crmUnitId(company_id: string, key: string): Promise<string> {
    const crm_unit_id = isUnitId(key) ? (await this.units.everByPathKey(company_id, key))?.crm_unit_id : key;
    if (crm_unit_id === undefined) throw errorOf('unit_not_found');
    const fault = identifierRule(crm_unit_id);
    if (fault !== undefined) throw validationFailed([fieldFault('crm_unit_id', fault)]);
    return crm_unit_id;
  }

  /** The answer's `data`. @throws ApiError for a refusal: 404, 409 or 422. @throws StoreUnavailableError */
  async written(
    outcome: UnitOutcome,
    { source }: Writer,
    dryRun = false,
  ): Promise<Readonly<Record<string, unknown>>> {
    if (outcome.kind === 'rejected') throw refusalError(outcome.refusal, source);
    const { after, applied_at, result } = outcome;
    const warnings = warningsOf(outcome);
    return {
      unit_id: dryRun && result.created ? null : after!.state.unit_id,
      applied_at: toTimestamp(applied_at),
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(dryRun ? await this.#preview(after!.state, result.created) : {}),
    };
  }

  async #preview(unit: UnitState, created: boolean): Promise<Record<string, unknown>> {
    const [decision] = await this.access.decide([unit]);
    // The dry run created no unit, so its id is unknown.
    const resolution = decision!.resolution?.map((cure) =>
      created && cure.unit_id === unit.unit_id ? { ...cure, unit_id: null } : cure,
    );
    return { dry_run: true, access: presentDecision({ ...decision!, resolution: resolution ?? null }, true) };
  }
}

export function warningsOf({ result, before }: Done): WriteWarning[] {
  return result.warnings.map((code) => {
    const message = WARNING_MESSAGES[code];
    const former = before?.state.facts.pms_tenant_id ?? undefined;
    if (code !== 'tenant_replaced' || former === undefined) return { code, message };
    return { code, message: `${message} It was ${former}’s.`, former_pms_tenant_id: former };
  });
}

export function wasCreated(outcome: UnitOutcome): boolean {
  return outcome.kind === 'done' && outcome.result.created;
}

/** The message of a dry run says that nothing was stored. */
export function writeEnvelope<T extends object>(
  dryRun: boolean | undefined,
  data: T,
  message?: string,
): Envelope<T> {
  return envelope(data, dryRun === true ? 'Dry run: nothing was stored.' : message);
}

export function statedMoveIn(crm_unit_id: string, body: MoveInBody): MoveTenantIn['moveIn'] {
  const { pms_tenant_id, move_in_date, ledger_id, unit_name, pms_location_code } = body;
  const arrival = { pms_tenant_id, move_in_date, ledger_id };
  return { crm_unit_id, unit_name, pms_location_code, arrival };
}

/** The facts of a body, with amounts in cents. */
export function statedFacts(body: FactsBody): Partial<ChangeableFacts> {
  const facts: Record<string, unknown> = {};
  for (const name of WRITABLE_FACTS) {
    const value = body[name];
    if (value !== undefined) facts[name] = AMOUNT_FACTS.has(name) ? toCents(value as number) : value;
  }
  return facts;
}
