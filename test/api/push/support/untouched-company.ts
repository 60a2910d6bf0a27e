import type { Company, Service } from '../../../support/service.js';

/**
 * Gives one test after another a company that was just made, or that of the test before where nothing was appended since,
 * as where all that was asked for was refused. Records are not looked at: keys of requests, tenants' accounts and what
 * else a test leaves without an event is there for the next one.
 */
export function untouchedCompanies(
  service: () => Service,
  make: (service: Service) => Promise<Company>,
): () => Promise<Company> {
  let company: Company | undefined;
  let head: bigint | undefined;
  const headNow = () => service().stores.eventStore.head();
  return async () => {
    if (company === undefined || (await headNow()) !== head) {
      company = await make(service());
      head = await headNow();
    }
    return company;
  };
}
