import { onServers } from './on-servers.js';

onServers('push');
