import { Command, CommanderError } from 'commander';
import { declareApiserver } from './commands/apiserver.command.js';
import { declareVersion } from './commands/version.command.js';
import { exitCode } from './exit-code.js';
import type { Io } from './io.js';
import { nearest } from './nearest.js';
import { usageError } from './usage-error.js';
import { cliVersion } from './version.js';

/** Declares the command in a program; its modules are loaded when it runs, so that `--help` stays quick (CLI-16). */
export type DeclareCommand = (program: Command, io: Io, finish: (code: number) => void) => void;

const COMMANDS: readonly DeclareCommand[] = [declareApiserver, declareVersion];

/** Parses a command line, runs the command, answers its exit code. Throws on wrong usage. */
export async function runProgram(argv: readonly string[], io: Io): Promise<number> {
  let code: number = exitCode.done;
  const program = new Command('kubewright')
    .description('Kubernetes operators in TypeScript')
    .version(cliVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help of a command');
  for (const declare of COMMANDS)
    declare(program, io, (result) => {
      code = result;
    });
  for (const command of [program, ...program.commands]) prepare(command, io);
  // Without a command the help is the answer, and the usage was wrong.
  if (argv.length === 0) {
    io.stderr.write(program.helpInformation());
    return exitCode.usage;
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exitCode.done;
    throw explain(error, program, argv);
  }
  return code;
}

/** Options of every command; no exit and no error output of commander's own: errors are told by us. */
function prepare(command: Command, io: Io): void {
  command.option('--debug', 'show stack traces of faults');
  command.exitOverride();
  command.showSuggestionAfterError(false);
  command.configureOutput({
    writeOut: (text) => {
      io.stdout.write(text);
    },
    writeErr: () => undefined,
  });
}

/** commander's error in our words, with the nearest known name. */
function explain(error: CommanderError, program: Command, argv: readonly string[]): Error {
  const command = program.commands.find((known) => argv.includes(known.name())) ?? program;
  const usage = `${command === program ? '' : 'kubewright '}${command.name()} ${command.usage()}`;
  const typed = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  if (error.code === 'commander.unknownCommand')
    return usageError(
      `Unknown command "${typed}".${didYouMean(
        typed,
        program.commands.map((known) => known.name()),
      )}`,
      usage,
    );
  if (error.code === 'commander.unknownOption') {
    const flags = command.options.flatMap((option) =>
      [option.long, option.short].filter((flag) => typeof flag === 'string'),
    );
    return usageError(`Unknown option "${typed}".${didYouMean(typed, [...flags, '--help'])}`, usage);
  }
  const text = error.message.replace(/^error: /, '');
  return usageError(text.charAt(0).toUpperCase() + text.slice(1), usage);
}

function didYouMean(typed: string, known: readonly string[]): string {
  const word = nearest(typed, known);
  return word === undefined ? '' : ` Did you mean "${word}"?`;
}
