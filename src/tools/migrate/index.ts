export { runMigrate, type CommandStreams } from './migrate.js';
