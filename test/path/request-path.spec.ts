import { MeasuredService, type RequestName } from './measured-service.js';
import { measurePath } from './request-path.js';

/**
 * Most files and calls of one warm request on embedded stores; `npm run path -- move-in` lists them.
 * Calls vary by two with the suites that ran in the worker before.
 */
const BUDGETS: readonly [RequestName, { readonly files: number; readonly calls: number }][] = [
  ['move-in', { files: 50, calls: 800 }],
  ['unchanged', { files: 33, calls: 240 }],
  ['patch', { files: 50, calls: 600 }],
  ['access', { files: 29, calls: 230 }],
];

let service: MeasuredService;

beforeAll(async () => {
  service = await MeasuredService.start();
});
afterAll(() => service.close());

it.each(BUDGETS)('%s runs through no more of the code than it may', async (name, budget) => {
  const { files, calls } = await measurePath(() => service.send(name));
  expect([files, calls]).toEqual([Math.min(files, budget.files), Math.min(calls, budget.calls)]);
});
