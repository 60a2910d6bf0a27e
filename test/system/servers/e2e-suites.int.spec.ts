import { onServers } from './on-servers.js';

onServers('system/e2e');
