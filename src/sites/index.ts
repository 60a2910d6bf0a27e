export * from './core/location-policy.js';
