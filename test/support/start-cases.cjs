// A process of the built service that plays starts one after another: `node start-cases.cjs DIST FOLDER CASES`. Each begins
// with a line `== NAME` on both streams; what follows is all that anything in the process has said, the fault last.
const { join } = require('node:path');

const [dist, folder, cases] = process.argv.slice(2);
const { openPorts } = require(join(dist, 'adapters.js'));
const { readEnvironment } = require(join(dist, 'config/environment.js'));

async function play() {
  for (const [name, variables] of JSON.parse(cases)) {
    for (const stream of [process.stdout, process.stderr]) stream.write(`== ${name}\n`);
    const fault = await start({ DATA_DIR: join(folder, name), ...variables });
    // Node prints its warnings in turns of their own.
    await new Promise(setImmediate);
    process.stderr.write(`${fault}\n`);
  }
}

function start(variables) {
  return Promise.resolve()
    .then(() => openPorts(readEnvironment(variables)))
    .then(
      () => 'It has started.',
      ({ message }) => message,
    );
}

const hold = setInterval(() => undefined, 1_000);
play().finally(() => {
  clearInterval(hold);
  process.exit();
});
