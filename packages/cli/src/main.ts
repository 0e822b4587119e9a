import { exitCode, exitCodeOf } from './exit-code.js';
import { type Io, processIo } from './io.js';
import { runProgram } from './program.js';
import { cliVersion } from './version.js';

/** Runs one command line and answers its exit code; prints errors in their three parts (CLI-3). */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  try {
    return await runProgram(argv, io);
  } catch (error) {
    io.stderr.write(describe(error, argv.includes('--debug')));
    return isCoded(error) ? exitCodeOf(error.code) : exitCode.failed;
  }
}

/** Errors with a code of ours; the API server, which knows no other package, has a class of its own. */
function isCoded(error: unknown): error is Error & { readonly code: string; readonly fix?: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('KW_');
}

function describe(error: unknown, debug: boolean): string {
  if (!isCoded(error)) return unexpected(error);
  if (error.code === 'KW_USAGE') return `${error.message}\n`;
  // Messages of several lines bring their cause and fix along.
  const alone = !error.message.includes('\n');
  // A cause that only repeats the message tells nothing.
  const told = error.cause instanceof Error && error.cause.message === error.message ? error.cause.cause : error.cause;
  const cause = alone && told instanceof Error ? `cause: ${told.message}\n` : '';
  const fix = alone && error.fix !== undefined ? `fix: ${error.fix}\n` : '';
  const stack = debug ? `${error.stack ?? ''}\n` : '';
  return `${error.code}: ${error.message}\n${cause}${fix}${stack}`;
}

/** A fault of ours: with everything a report needs, and nothing of the environment. */
function unexpected(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `KW_INTERNAL: unexpected fault in kubewright ${cliVersion()} on Node ${process.versions.node}.\ncause: ${text}\nfix: please report this with the lines above\n`;
}
