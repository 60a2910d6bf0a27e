import { onServers } from './on-servers.js';

onServers('e2e');
