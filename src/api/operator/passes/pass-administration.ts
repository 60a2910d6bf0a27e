import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CompanyClocks } from '#domain/companies/index.js';
import {
  accessHours,
  DEFAULT_EXIT_GRACE_MINUTES,
  LocationDirectory,
  type LocationDocument,
} from '#domain/locations/index.js';
import {
  changedDetails,
  decidePass,
  type PassCommand,
  PassDirectory,
  type PassDocument,
  type PassEndCause,
  type PassHours,
  PassRecords,
  WritePass,
} from '#domain/passes/index.js';
import { FOREIGN_TEST_NUMBER, OwnAccounts, SandboxPhones, TenantAccounts } from '#domain/tenants/index.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import { invalidField } from '#kernel/errors/api-error.js';
import { ulidsOf } from '#kernel/ids.js';
import { isPossibleId } from '#kernel/possible-id.js';
import { parseTimestamp } from '#kernel/timestamp.js';
import type { OperatorContext } from '#web/request-context.js';
import { found } from '../facility.refusals.js';
import { instantOrNull } from '../units/unit-administration.js';
import { faultsAt, passError } from './pass-refusals.js';
import { PassReads } from './pass-reads.js';
import type { NewPassBody, PassChangeBody } from './passes.dto.js';

/** Passes that one location may have at a time, those to come included. */
const MOST_PASSES = 500;
const PASSES_FULL =
  'The location has 500 passes that have not ended, the most it may have. End one that nobody needs.';

/** What operators do to passes (decisions §13). Every method throws ApiError 404, 409, 422. */
@Injectable()
export class PassAdministration {
  constructor(
    private readonly reads: PassReads,
    private readonly directory: PassDirectory,
    private readonly records: PassRecords,
    private readonly locations: LocationDirectory,
    private readonly units: UnitDirectory,
    private readonly accounts: TenantAccounts,
    private readonly ownAccounts: OwnAccounts,
    private readonly phones: SandboxPhones,
    private readonly clocks: CompanyClocks,
    private readonly commands: CommandBus,
  ) {}

  async issuePass(location_id: string, body: NewPassBody, context: OperatorContext) {
    const location = found(await this.locations.location(location_id), 'location_not_found');
    const { company_id } = location;
    const { name, phone, note = null } = body;
    const pass_id = ulidsOf(context.command_id)();
    const units = await this.#named(location, body);
    const command = {
      type: 'IssuePass',
      pass_id,
      company_id,
      location_id,
      tenant_id: '',
      units,
      entry_point_ids: body.entry_point_ids ?? [],
      from: instantOrNull(body.from),
      until: parseTimestamp(body.until)!,
      hours: hoursOf(body.hours) ?? null,
      reason: body.reason,
    } as const;
    await this.#assertPhone(company_id, phone);
    // A refusal must leave no account. A repeat is decided by the log.
    if (!context.recovering) await this.#assertNew(location, command);
    const { tenant_id } = await this.#findHolder(location, { name, phone }, context);
    await this.#write(company_id, pass_id, { ...command, tenant_id }, context);
    await this.records.keep({ _id: pass_id, tenant_id, name, note });
    await this.#assertHolder(company_id, pass_id, tenant_id, context);
    return this.reads.readPass(pass_id);
  }

  async changePass(pass_id: string, body: PassChangeBody, context: OperatorContext) {
    const pass = await this.#find(pass_id);
    const { company_id } = pass;
    const location = found(await this.locations.location(pass.location_id), 'location_not_found');
    const before = await this.#detailsOf(pass_id);
    const given = { ...before, ...definedOf({ name: body.name, note: body.note }) };
    const details = changedDetails(before, given);
    const command = { type: 'ChangePass', ...(await this.#termsOf(location, body)), details } as const;
    if (body.phone !== undefined) await this.#assertPhone(company_id, body.phone);
    if (!context.recovering) this.#assertAccepted(pass, command, await this.clocks.now(company_id));
    const tenant_id = await this.#holderAfter(pass, location, body.phone, given.name, context);
    await this.#write(company_id, pass_id, { ...command, tenant_id }, context);
    await this.records.keep({ _id: pass_id, tenant_id, ...given });
    await this.#assertHolder(company_id, pass_id, tenant_id, context);
    return this.reads.readPass(pass_id);
  }

  async #detailsOf(pass_id: string) {
    const record = await this.records.recordOf(pass_id);
    return { name: record?.name ?? null, note: record?.note ?? null };
  }

  /** The terms that a body gives. */
  async #termsOf(location: LocationDocument, body: PassChangeBody) {
    const { entry_point_ids, unit_ids, reason } = body;
    const units = await this.#named(location, body);
    return definedOf({
      entry_point_ids,
      units: unit_ids === undefined ? undefined : units,
      from: body.from === undefined ? undefined : instantOrNull(body.from),
      until: body.until === undefined ? undefined : parseTimestamp(body.until),
      hours: hoursOf(body.hours),
      reason,
    });
  }

  async endPass(pass_id: string, context: OperatorContext) {
    const { company_id } = await this.#find(pass_id);
    await this.#end(company_id, pass_id, 'requested', context);
    return this.reads.readPass(pass_id);
  }

  async #end(
    company_id: string,
    pass_id: string,
    cause: PassEndCause,
    context: OperatorContext,
  ): Promise<void> {
    await this.#write(company_id, pass_id, { type: 'EndPass', cause }, context);
  }

  async #write(
    company_id: string,
    pass_id: string,
    command: PassCommand,
    context: OperatorContext,
  ): Promise<void> {
    const outcome = await this.commands.execute(new WritePass(company_id, pass_id, command, context));
    if (outcome.kind === 'rejected') throw passError(outcome.refusal);
  }

  async #assertNew({ _id: location_id, company_id }: LocationDocument, command: PassCommand): Promise<void> {
    const now = await this.clocks.now(company_id);
    this.#assertAccepted(undefined, command, now);
    const present = await this.directory.endingAfter('by_location', location_id, now);
    if (present.length >= MOST_PASSES) throw invalidField('name', 'not_allowed', PASSES_FULL);
  }

  #assertAccepted(pass: PassDocument | undefined, command: PassCommand, now: number): void {
    const decided = decidePass(pass, command, now);
    if ('rejected' in decided) throw passError(decided.rejected);
  }

  /** The units that a body names. @throws ApiError 422 at each id that is none of the location, or is given twice */
  async #named(
    { _id: location_id, entry_points }: LocationDocument,
    { entry_point_ids = [], unit_ids = [] }: Pick<NewPassBody, 'entry_point_ids' | 'unit_ids'>,
  ): Promise<UnitDocument[]> {
    const gates = new Set(entry_points.map(({ entry_point_id }) => entry_point_id));
    assertEach('entry_point_ids', entry_point_ids, (id) => gates.has(id), GATE_UNKNOWN);
    const documents = await this.units.byUnitIds(unit_ids.filter(isPossibleId));
    const units = new Map(documents.map((unit) => [unit.unit_id, unit]));
    const isHere = (id: string) => units.get(id)?.location_id === location_id && !units.get(id)!.retired;
    assertEach('unit_ids', unit_ids, isHere, UNIT_UNKNOWN);
    return unit_ids.map((id) => units.get(id)!);
  }

  async #findHolder(
    { _id: location_id, company_id }: Pick<LocationDocument, '_id' | 'company_id'>,
    person: { readonly name: string; readonly phone: string },
    context: OperatorContext,
  ) {
    return this.ownAccounts.findOrCreatePassHolder(
      { place: { company_id, location_id }, ...person },
      context,
    );
  }

  /** Another phone belongs to another account. */
  async #holderAfter(
    { tenant_id }: PassDocument,
    location: LocationDocument,
    phone: string | undefined,
    name: string | null,
    context: OperatorContext,
  ): Promise<string> {
    if (phone === undefined) return tenant_id;
    const [account] = await this.accounts.byTenantId([tenant_id]);
    if (account?.phone === phone) return tenant_id;
    const holder = await this.#findHolder(location, { name: name ?? phone, phone }, context);
    return holder.tenant_id;
  }

  /** The details of the holder may have been erased meanwhile: then the pass must not outlive that. */
  async #assertHolder(
    company_id: string,
    pass_id: string,
    tenant_id: string,
    context: OperatorContext,
  ): Promise<void> {
    const [account] = await this.accounts.byTenantId([tenant_id]);
    if (account === undefined || account.erased_at === null) return;
    await this.#end(company_id, pass_id, 'holder_erased', context);
    await this.records.erasePersonalData(tenant_id);
    throw invalidField('phone', 'not_allowed', ERASED_MEANWHILE);
  }

  /** @throws ApiError 422 */
  async #assertPhone(company_id: string, phone: string): Promise<void> {
    if (await this.phones.mayRecord(company_id, phone)) return;
    throw invalidField('phone', 'not_allowed', FOREIGN_TEST_NUMBER);
  }

  async #find(pass_id: string): Promise<PassDocument> {
    return found(await this.directory.pass(pass_id), 'pass_not_found');
  }
}

const GATE_UNKNOWN = 'must be an entry point of the same location.';
const UNIT_UNKNOWN = 'must be a unit of the same location.';
const REPEATED = 'must not be given twice.';
const ERASED_MEANWHILE =
  'The details of this number were erased while the request ran, so the pass has ended. Send it again.';

function assertEach(
  field: 'entry_point_ids' | 'unit_ids',
  ids: readonly string[],
  isKnown: (id: string) => boolean,
  text: string,
): void {
  const unknown = ids.flatMap((id, index) => (isKnown(id) ? [] : index));
  if (unknown.length > 0) throw faultsAt(field, unknown, 'unknown_value', text);
  const repeated = ids.flatMap((id, index) => (ids.indexOf(id) === index ? [] : index));
  if (repeated.length > 0) throw faultsAt(field, repeated, 'duplicate', REPEATED);
}

/** The week as it is stored: its days in one order. */
function hoursOf(week: NewPassBody['hours']): PassHours | null | undefined {
  if (week == null) return week;
  return accessHours({ week, exceptions: [], exit_grace_minutes: DEFAULT_EXIT_GRACE_MINUTES }).week;
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** The fields that are given. */
function definedOf<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;
}
