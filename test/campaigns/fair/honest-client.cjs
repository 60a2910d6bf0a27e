/**
 * One honest client, in a process of its own: what the hostile callers cost their own process must not be measured. Reads a
 * unit, one request after another with a pause between. Tells how long each took to its parent at the end, and how much of it
 * the service or this process was ready to run but had no processor. That time is of other processes of the machine.
 */
const { readFileSync } = require('node:fs');
const { Agent, request } = require('node:http');

const PAUSE_MS = 20;
const agent = new Agent({ keepAlive: true });
const reads = [];
const statuses = {};
let isOver = false;

function read({ port, readers }, number) {
  const { token, path } = readers[number % readers.length];
  const headers = { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '192.0.2.1' };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Milliseconds that the first thread of a process has waited for a processor so far. 0 where the system does not show it. */
function waitedForProcessor(process) {
  try {
    return Number(readFileSync(`/proc/${process}/schedstat`, 'utf8').split(' ')[1]) / 1_000_000;
  } catch {
    return 0;
  }
}

async function readOn(plan) {
  const waited = () => waitedForProcessor(plan.pid) + waitedForProcessor('self');
  for (let number = 0; !isOver; number += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const waitedBefore = waited();
    const began = performance.now();
    const status = await read(plan, number).catch(() => 0);
    statuses[status] = (statuses[status] ?? 0) + 1;
    const delay = performance.now() - began;
    reads.push({ delay, byService: Math.max(0, delay - (waited() - waitedBefore)) });
  }
  process.send({ reads, statuses });
  process.disconnect();
}

process.on('message', (message) => {
  if (message === 'end') isOver = true;
  else void readOn(message);
});
