/** Starts all tasks at once and joins them all: the outcome of each, in their order. */
export async function runAtOnce<T>(tasks: readonly (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
  let open: () => void = () => undefined;
  const barrier = new Promise<void>((resolve) => (open = resolve));
  const running = tasks.map((task) => barrier.then(task));
  open();
  return Promise.allSettled(running);
}

/** As {@link runAtOnce}, for tasks that must all succeed. */
export async function resultsAtOnce<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const outcomes = await runAtOnce(tasks);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
