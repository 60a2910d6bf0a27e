import { UsageError } from '#cli/output.js';

/** The whole number from `least` on that an option was given. @throws UsageError */
export function wholeNumber(option: string, text: string, least = 1): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(number) && number >= least) return number;
  throw new UsageError(`--${option} must be a whole number from ${least} on.`);
}

/** Runs a command: what it cannot take is told with its usage, status 2; another failure with its stack, status 1. */
export function runCommand(usage: string, command: () => Promise<void>): void {
  command().catch((error: unknown) => {
    const isUsage = error instanceof UsageError || codeOf(error).startsWith('ERR_PARSE_ARGS_');
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    process.stderr.write(isUsage ? `${message}\n${usage}\n` : `${stack}\n`);
    process.exit(isUsage ? 2 : 1);
  });
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code);
}
