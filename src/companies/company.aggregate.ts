import type { Aggregate } from '../writing/aggregate.js';
import type { CompanyCommand, CompanyRefusal, CompanyResults } from './core/company.commands.js';
import { asStored, decideCompany } from './core/company.decide.js';
import { COMPANY_CATEGORY, COMPANY_EVENT_TYPES, type CompanyEvent } from './core/company.events.js';
import { type CompanyState, evolveCompany } from './core/company.state.js';

type CompanyResult = CompanyResults[CompanyCommand['type']];

/** Streams `company-{company_id}`. */
export const COMPANY: Aggregate<CompanyState, CompanyEvent, CompanyCommand, CompanyResult, CompanyRefusal> = {
  category: COMPANY_CATEGORY,
  types: COMPANY_EVENT_TYPES,
  evolve: evolveCompany,
  decide: decideCompany,
  asStored,
};
