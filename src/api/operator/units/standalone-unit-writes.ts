import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { RequestContext } from '#web/request-context.js';
import { type FactsBody, type MoveInBody, statedFacts, statedMoveIn, UnitAnswers } from '#api/push/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import {
  type IfOccupied,
  type SourceCommand,
  UnitDirectory,
  type UnitDocument,
  type Writer,
  WriteUnits,
} from '#domain/units/index.js';
import { found } from '../facility.refusals.js';
import type { NewUnitBody } from './operator-units.dto.js';

const SOURCE = 'standalone';

interface WriteMode {
  /** True: decides and stores nothing. */
  readonly dryRun: boolean;
}

interface MoveInMode extends WriteMode {
  readonly if_occupied: IfOccupied;
}

/**
 * Writes to units whose data comes from operators and not from a PMS (decisions §6). They throw ApiError if the command is
 * refused, and StoreUnavailableError.
 */
@Injectable()
export class StandaloneUnitWrites {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly units: UnitDirectory,
    private readonly answers: UnitAnswers,
    private readonly commands: CommandBus,
  ) {}

  async addUnit(location_id: string, { crm_unit_id, unit_name }: NewUnitBody, context: RequestContext) {
    const { company_id } = found(await this.locations.location(location_id), 'location_not_found');
    const unit = { company_id, crm_unit_id: await this.answers.resolveUnitKey(company_id, crm_unit_id) };
    const registration = { unit_name, location_id };
    return this.#write(unit, { type: 'RegisterUnit', source: SOURCE, registration }, context);
  }

  async moveIn(unit_id: string, body: MoveInBody, context: RequestContext) {
    return this.#moveIn(unit_id, body, context, { dryRun: false, if_occupied: 'replace' });
  }

  /** Replaces nobody: a page that shows a vacant unit may be old. */
  async moveIntoVacant(unit_id: string, body: MoveInBody, context: RequestContext) {
    return this.#moveIn(unit_id, body, context, { dryRun: false, if_occupied: 'refuse' });
  }

  /** Decides a move-in into a vacant unit and stores nothing. */
  async rehearseMoveIn(unit_id: string, body: MoveInBody, context: RequestContext) {
    return this.#moveIn(unit_id, body, context, { dryRun: true, if_occupied: 'refuse' });
  }

  async moveOut(unit_id: string, context: RequestContext) {
    const unit = await this.#find(unit_id);
    return this.#write(unit, { type: 'MoveTenantOut', source: SOURCE }, context);
  }

  async changeFacts(unit_id: string, body: FactsBody, context: RequestContext) {
    const unit = await this.#find(unit_id);
    return this.#write(unit, { type: 'ChangeFacts', source: SOURCE, facts: statedFacts(body) }, context);
  }

  async #moveIn(
    unit_id: string,
    body: MoveInBody,
    context: RequestContext,
    { dryRun, if_occupied }: MoveInMode,
  ) {
    const unit = await this.#find(unit_id);
    const command = { type: 'MoveTenantIn', source: SOURCE, ...statedMoveIn(body), if_occupied } as const;
    return this.#write(unit, command, context, { dryRun });
  }

  async #write(
    { company_id, crm_unit_id }: Pick<UnitDocument, 'company_id' | 'crm_unit_id'>,
    command: SourceCommand,
    context: RequestContext,
    { dryRun }: WriteMode = { dryRun: false },
  ) {
    const writer: Writer = { company_id, source: SOURCE };
    const writes = [{ crm_unit_id, command }] as const;
    const [outcome] = await this.commands.execute(new WriteUnits(company_id, writes, context, { dryRun }));
    return this.answers.written(outcome, writer, dryRun);
  }

  async #find(unit_id: string) {
    return found(await this.units.byUnitId(unit_id), 'unit_not_found');
  }
}
