/**
 * One honest client, in a process of its own: what the hostile callers cost their own process must not be measured. Reads a
 * unit, one request after another with a pause between. Tells how long each took to its parent at the end.
 */
const { Agent, request } = require('node:http');

const PAUSE_MS = 20;
const agent = new Agent({ keepAlive: true });
const delays = [];
const statuses = {};
let isOver = false;

function read({ port, readers }, number) {
  const { token, path } = readers[number % readers.length];
  const headers = { Authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject);
    sent.end();
  });
}

async function readOn(plan) {
  for (let number = 0; !isOver; number += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const began = performance.now();
    const status = await read(plan, number).catch(() => 0);
    statuses[status] = (statuses[status] ?? 0) + 1;
    delays.push(performance.now() - began);
  }
  process.send({ delays, statuses });
  process.disconnect();
}

process.on('message', (message) => {
  if (message === 'end') isOver = true;
  else void readOn(message);
});
