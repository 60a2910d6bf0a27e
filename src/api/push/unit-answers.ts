import { Injectable } from '@nestjs/common';
import { type Cure, presentDecision, presentExplainedDecision, UnitAccess } from '#domain/access/index.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { errorOf, validationFailed } from '#kernel/errors/api-error.js';
import { type Envelope, envelope } from '#web/envelope.js';
import { identifierRule } from '#web/validation/rules.js';
import { toCents } from '#kernel/money.js';
import { fieldFault } from '#web/validation/check.js';
import {
  AMOUNT_FACTS,
  type ChangeableFacts,
  isUnitId,
  type StatedUnitCommand,
  UnitDirectory,
  type UnitOutcome,
  type UnitState,
  WARNING_MESSAGES,
  WRITABLE_FACTS,
  type Writer,
} from '#domain/units/index.js';
import { LetUnitWarnings } from './let-unit-warnings.js';
import { refusalError } from './refusals.js';
import type { FactsBody, MoveInBody } from './unit.dto.js';
import type { UnitWritten, WriteWarning } from './unit-write.schemas.js';

/** If all units of a tenant owe, each unit names all the others. A read of the unit shows all. */
const MOST_CURES_OF_A_WRITE = 20;

type Done = UnitOutcome & { readonly kind: 'done' };

/** Resolves the unit of a path, and makes the answer to a write (specification §4.1). */
@Injectable()
export class UnitAnswers {
  constructor(
    private readonly units: UnitDirectory,
    private readonly access: UnitAccess,
    private readonly ofLetUnits: LetUnitWarnings,
  ) {}

  /**
   * The `crm_unit_id` that a path names. The unit need not exist.
   * @param key the path's `{crm_unit_id}`, or `ulid:{unit_id}`
   * @throws ApiError 404, or 422 for a key that no unit may have. @throws StoreUnavailableError
   */
  async resolveUnitKey(company_id: string, key: string): Promise<string> {
    const crm_unit_id = isUnitId(key) ? (await this.units.everByPathKey(company_id, key))?.crm_unit_id : key;
    if (crm_unit_id === undefined) throw errorOf('unit_not_found');
    const fault = identifierRule(crm_unit_id);
    if (fault !== undefined) throw validationFailed([fieldFault('crm_unit_id', fault)]);
    return crm_unit_id;
  }

  /** The answer's `data`. @throws ApiError for a refusal: 404, 409 or 422. @throws StoreUnavailableError */
  async written(outcome: UnitOutcome, { source }: Writer, dryRun = false): Promise<UnitWritten> {
    if (outcome.kind === 'rejected') throw refusalError(outcome.refusal, source);
    const { after, applied_at, result, isRecovered } = outcome;
    const warnings = [...warningsOf(outcome), ...(await this.ofLetUnits.ofWrite(outcome))];
    return {
      unit_id: dryRun && result.created ? null : after!.state.unit_id,
      applied_at: toTimestamp(applied_at),
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(dryRun ? { dry_run: true } : {}),
      // The unit may have changed since the attempt whose answer this is.
      ...(isRecovered ? {} : { access: await this.#access(after!.state, dryRun, result.created) }),
    };
  }

  async #access(unit: UnitState, dryRun: boolean, created: boolean) {
    const [decision] = await this.access.decide([unit]);
    const resolution = decision!.resolution?.slice(0, MOST_CURES_OF_A_WRITE) ?? null;
    // A dry run creates no unit, so its id is unknown.
    const shown = (cure: Cure) =>
      dryRun && created && cure.unit_id === unit.unit_id ? { ...cure, unit_id: null } : cure;
    const shortened = { ...decision!, resolution: resolution?.map(shown) ?? null };
    return dryRun ? presentExplainedDecision(shortened) : presentDecision(shortened);
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

/** The message says whether entries were rejected. */
export function syncEnvelope<T extends { readonly errors: readonly unknown[] }>(
  dryRun: boolean | undefined,
  result: T,
): Envelope<T> {
  const message = result.errors.length > 0 ? 'Sync completed with errors.' : 'Sync completed.';
  return writeEnvelope(dryRun, result, message);
}

type MoveTenantIn = Extract<StatedUnitCommand, { type: 'MoveTenantIn' }>;

export function statedMoveIn(body: MoveInBody): Pick<MoveTenantIn, 'registration' | 'arrival'> {
  const { pms_tenant_id, move_in_date, ledger_id, unit_name, pms_location_code } = body;
  return {
    registration: { unit_name, pms_location_code },
    arrival: { pms_tenant_id, move_in_date, ledger_id },
  };
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
