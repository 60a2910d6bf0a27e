export * from './core/location-policy.js';
export * from './core/site.events.js';
export * from './core/site.state.js';
export * from './site.directory.js';
export * from './site.documents.js';
export * from './site.ports.js';
