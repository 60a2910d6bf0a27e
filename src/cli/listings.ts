import { presentUnit, UnitLists } from '../access/index.js';
import { CompanyDirectory } from '../companies/index.js';
import { toTimestamp } from '../config/clock.js';
import type { Environment } from '../config/environment.js';
import { everyPage } from '../documents/pages.js';
import { CommandError, type Output, print } from './output.js';
import { withService } from './with-service.js';

const PAGE = 500;

/** Prints the companies in the order they were registered, each with its locations, a line each. */
export async function listCompanies(environment: Environment, output: Output): Promise<number> {
  await withService(environment, async (context) => {
    const directory = context.get(CompanyDirectory, { strict: false });
    for await (const page of everyPage((cursor) => directory.companies({ limit: PAGE, cursor }))) {
      const lines = page.documents.map(({ company_id, name, created_at, ahead_seconds, locations }) => {
        const codes = locations.map(({ location_id, pms_location_code }) => ({
          location_id,
          pms_location_code,
        }));
        const sandbox = ahead_seconds === undefined ? {} : { sandbox: true, ahead_seconds };
        return lineOf({
          company_id,
          name,
          created_at: toTimestamp(created_at),
          ...sandbox,
          locations: codes,
        });
      });
      await print(output, lines);
    }
  });
  return 0;
}

/** Prints the units of a company as `GET /api/v2/units` lists them, a line each. @throws CommandError */
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
        page.units.map((unit) => lineOf(presentUnit(unit, false))),
      );
    }
  });
  return 0;
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
