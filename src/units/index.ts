export * from './core/unit.facts.js';
export * from './core/unit.events.js';
export * from './core/unit.state.js';
