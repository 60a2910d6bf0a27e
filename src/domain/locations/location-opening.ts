import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type CompanyOutcome, WriteCompany } from '#domain/companies/index.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { LocationResults, OpenLocation } from './core/location.commands.js';
import { type LocationOutcome, WriteLocation } from './write-location.js';

/** Opens locations. It takes two commands, because the company's stream makes the location's code unique. */
@Injectable()
export class LocationOpening {
  constructor(private readonly commands: CommandBus) {}

  /**
   * Reserves the code in the company's stream, and then opens the location that has the code. If an earlier request
   * reserved the code but did not open its location, this request opens that location.
   * @throws StoreUnavailableError, WriteContendedError
   */
  async openLocation(
    company_id: string,
    { pms_location_code, ...wanted }: Pick<OpenLocation, 'pms_location_code' | 'name' | 'policy'>,
    context: WriteContext,
  ): Promise<LocationOutcome<LocationResults['OpenLocation']> | CompanyOutcome<never>> {
    const reserving = { type: 'AddLocation', location_id: context.command_id, pms_location_code } as const;
    const added = await this.commands.execute(new WriteCompany(company_id, reserving, context));
    if (added.kind === 'rejected') return added;
    const { location_id } = added.result;
    const opening = { type: 'OpenLocation', location_id, company_id, pms_location_code, ...wanted } as const;
    return this.commands.execute(new WriteLocation(opening, context));
  }
}
