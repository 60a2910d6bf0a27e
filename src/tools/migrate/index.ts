export { runMigrate } from './migrate.js';
