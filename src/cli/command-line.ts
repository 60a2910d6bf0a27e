import { CommanderError } from 'commander';
import type { EnvironmentError } from '#kernel/environment/environment.js';
import { keepProcessAlive } from '#kernel/keep-process-alive.js';
import { isSystemError } from '#kernel/system-error.js';
import { type Call, describeCommands, type Variables, withoutBrackets } from './commands.js';
import { type Output, UsageError } from './output.js';

/**
 * Runs a command of the service. Never rejects.
 * @returns the exit status: 0; 1 if a fault was found or the command failed; 2 for wrong usage
 */
export async function runCommandLine(
  parameters: readonly string[],
  variables: Variables,
  output: Output,
): Promise<number> {
  try {
    return await keepProcessAlive(async () => run(parameters, { variables, output, status: 0 }));
  } catch (error) {
    // The reader of the output has closed it, as `head` does.
    if (isSystemError(error, 'EPIPE')) return 1;
    const usage = error instanceof UsageError;
    const hint = usage ? ' See: storage-access help' : '';
    output.stderr.write(`storage-access: ${messageOf(error)}${hint}\n`);
    return usage ? 2 : 1;
  }
}

async function run(parameters: readonly string[], call: Call): Promise<number> {
  if (parameters.length === 0) throw new UsageError('No command was given.');
  try {
    await describeCommands(call).parseAsync(parameters, { from: 'user' });
    return call.status;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help or the version was asked for and printed.
    if (error.exitCode === 0) return 0;
    // A group was given without a command, and its commands were printed.
    if (error.code === 'commander.help') return 2;
    throw new UsageError(usageMessageOf(error));
  }
}

function usageMessageOf({ code, message }: CommanderError): string {
  const [, option] = /'(--[a-z-]+)/.exec(message) ?? [];
  if (code === 'commander.missingMandatoryOptionValue') return `${option} is required.`;
  const text = withoutBrackets(message)
    .replace(/^error: /, '')
    .replace('\n', '. ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.)]$/.test(text) ? '' : '.'}`;
}

/** The first line of the message of anything that was thrown. Of the environment all faults, one a line. */
function messageOf(error: unknown): string {
  const { code, message } = error as Partial<EnvironmentError>;
  if (code === 'environment') return message!;
  const text = typeof message === 'string' && message !== '' ? message : String(error);
  return text.split('\n', 1)[0]!.trim();
}
