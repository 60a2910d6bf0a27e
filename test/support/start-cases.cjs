// A process of the built service that plays starts: `node start-cases.cjs DIST FOLDER CASES`, where CASES are lists of them
// that are played side by side, each of them one start after another. Each start ends with a line `NAME => FAULT` on standard
// error; whatever else is on either stream, something in the process has said.
const { join } = require('node:path');

const [dist, folder, cases] = process.argv.slice(2);
const { openPorts } = require(join(dist, 'app/adapters.js'));
const { readEnvironment } = require(join(dist, 'kernel/environment/environment.js'));

async function play(starts) {
  for (const [name, variables] of starts) {
    const fault = await start({ DATA_DIR: join(folder, name), ...variables });
    // Node prints its warnings in turns of their own.
    await new Promise(setImmediate);
    process.stderr.write(`${name} => ${fault}\n`);
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
Promise.all(JSON.parse(cases).map(play)).finally(() => {
  clearInterval(hold);
  process.exit();
});
