import { presentUnit, UnitLists } from '#domain/access/index.js';
import { CompanyDirectory } from '#domain/companies/index.js';
import { toTimestamp } from '#kernel/timestamp.js';
import type { Environment } from '#kernel/environment/environment.js';
import { everyPage } from '#eventsourcing/documents/pages.js';
import { CommandError, jsonLine, type Output, print } from './output.js';
import { withService } from './with-service.js';

const PAGE = 500;

/** Prints the companies with their locations, oldest first, a line each. */
export async function listCompanies(environment: Environment, output: Output): Promise<number> {
  await withService(environment, async (context) => {
    const directory = context.get(CompanyDirectory, { strict: false });
    for await (const page of everyPage((cursor) => directory.companies({ limit: PAGE, cursor }))) {
      const lines = page.documents.map(({ company_id, name, created_at, ahead_seconds, locations }) => {
        return jsonLine({
          company_id,
          name,
          created_at: toTimestamp(created_at),
          ...(ahead_seconds !== undefined && { sandbox: true, ahead_seconds }),
          locations: locations.map(({ location_id, pms_location_code }) => ({
            location_id,
            pms_location_code,
          })),
        });
      });
      await print(output, lines);
    }
  });
  return 0;
}

/** Prints the units of a company, a line each, in the form of `GET /api/v2/units`. @throws CommandError */
export async function listUnits(
  company_id: string,
  environment: Environment,
  output: Output,
): Promise<number> {
  await withService(environment, async (context) => {
    const company = await context.get(CompanyDirectory, { strict: false }).company(company_id);
    if (company === undefined) throw new CommandError('Company not found.');
    const lists = context.get(UnitLists, { strict: false });
    const read = (cursor: string | undefined) => lists.page({ company_id, limit: PAGE, cursor });
    for await (const page of everyPage(read)) {
      await print(
        output,
        page.units.map((unit) => jsonLine(presentUnit(unit))),
      );
    }
  });
  return 0;
}
