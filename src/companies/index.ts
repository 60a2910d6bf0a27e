export * from './api-tokens.js';
export * from './companies.module.js';
export * from './company.commands.js';
export * from './company.directory.js';
export * from './company.documents.js';
export * from './company.projection.js';
export * from './core/company.commands.js';
export * from './core/company.events.js';
export type { CompanyOutcome } from './write-company.command.js';
