import { isObject } from '#kernel/core/is-object.js';
import type { JsonObject } from '#eventsourcing/log/event-store.js';

/** The data of an operator's event with those of its companies and sites alone that a reader sees. */
export function grantedWithin(data: JsonObject, isSeen: (company_id: string) => boolean): JsonObject {
  const { companies, sites } = data;
  const isKnown = (company_id: unknown) => typeof company_id === 'string' && isSeen(company_id);
  return {
    ...data,
    ...(Array.isArray(companies) && { companies: companies.filter(isKnown) }),
    ...(Array.isArray(sites) && {
      sites: sites.filter((site) => isObject(site) && isKnown(site['company_id'])),
    }),
  };
}
