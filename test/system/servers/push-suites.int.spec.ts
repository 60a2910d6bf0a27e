import { onServers } from './on-servers.js';

onServers('api/push');
