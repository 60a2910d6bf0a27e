import { MeasuredService, type RequestName, REQUESTS } from './measured-service.js';
import { filesInOrder } from './file-order.js';
import { measurePath } from './request-path.js';

const USAGE = `Usage: npm run path -- ${REQUESTS.join(' | ')}`;

const HEAD = 'Each file stands where the request enters it first, with the number of its calls.';

/** Prints the service's own files that a request runs, in the order in which it enters them, with calls. */
async function print(name: RequestName): Promise<void> {
  const service = await MeasuredService.start();
  try {
    const path = await measurePath(() => service.send(name));
    const order = await filesInOrder(path.functions, () => service.send(name));
    const lines = order.map((file, place) => {
      const called = path.functions.filter((one) => one.file === file);
      const calls = called.reduce((sum, one) => sum + one.calls, 0);
      const names = called.map((one) => (one.calls === 1 ? one.name : `${one.name} ${one.calls}`));
      return `${String(place + 1).padStart(3)} ${String(calls).padStart(5)}  ${file}: ${names.join(', ')}`;
    });
    console.log([HEAD, ...lines, `${name}: ${path.files} files, ${path.calls} calls`].join('\n'));
  } finally {
    await service.close();
  }
}

const wanted = REQUESTS.find((name) => name === process.argv[2]);
if (wanted === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else void print(wanted);
