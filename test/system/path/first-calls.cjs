/**
 * Stops the main thread at the first call into each file and notes the file. A thread cannot stop itself, hence a worker.
 * Its data: the functions to stop at, with file, scriptId and offset.
 */
const { Session } = require('node:inspector/promises');
const { parentPort, workerData } = require('node:worker_threads');

const session = new Session();
/** Files by the ids of their breakpoints. */
const files = new Map();
const entered = [];

async function stopAtFirstCalls() {
  session.connectToMainThread();
  await session.post('Debugger.enable');
  session.on('Debugger.paused', ({ params }) => void noteAndGoOn(params.hitBreakpoints));
  const sources = new Map();
  for (const { file, scriptId, offset } of workerData) {
    if (!sources.has(scriptId)) {
      sources.set(scriptId, (await session.post('Debugger.getScriptSource', { scriptId })).scriptSource);
    }
    const start = await firstStatement(sources.get(scriptId), scriptId, offset);
    if (start === undefined) continue;
    const known = await session.post('Debugger.setBreakpoint', { location: start }).catch(() => undefined);
    if (known !== undefined) files.set(known.breakpointId, file);
  }
}

async function firstStatement(source, scriptId, offset) {
  const before = source.slice(0, offset).split('\n');
  const start = { scriptId, lineNumber: before.length - 1, columnNumber: before.at(-1).length };
  const { locations } = await session.post('Debugger.getPossibleBreakpoints', {
    start,
    restrictToFunction: true,
  });
  return locations[0];
}

async function noteAndGoOn(breakpoints) {
  const hit = new Set(breakpoints.map((id) => files.get(id)));
  for (const file of hit) if (!entered.includes(file)) entered.push(file);
  const passed = [...files].filter(([, file]) => hit.has(file)).map(([id]) => id);
  for (const breakpointId of passed) {
    files.delete(breakpointId);
    await session.post('Debugger.removeBreakpoint', { breakpointId });
  }
  await session.post('Debugger.resume');
}

parentPort.once('message', () => parentPort.postMessage(entered));
stopAtFirstCalls().then(() => parentPort.postMessage('ready'));
