import type { Aggregate, Kind } from '#eventsourcing/writing/aggregate.js';
import type { CompanyCommand, CompanyRefusal, CompanyResults } from './core/company.commands.js';
import { asStored, decideCompany } from './core/company.decide.js';
import { COMPANY_CATEGORY, COMPANY_EVENT_TYPES, type CompanyEvent } from './core/company.events.js';
import { type CompanyState, evolveCompany } from './core/company.state.js';

type CompanyResult = CompanyResults[CompanyCommand['type']];

type CompanyKind = Kind<CompanyState, CompanyEvent, CompanyCommand, CompanyResult, CompanyRefusal>;

/** Streams `company-{company_id}`. */
export const COMPANY: Aggregate<CompanyKind> = {
  category: COMPANY_CATEGORY,
  types: COMPANY_EVENT_TYPES,
  evolve: evolveCompany,
  decide: decideCompany,
  asStored,
};
