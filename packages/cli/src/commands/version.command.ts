import type { DeclareCommand } from '../program.js';
import { exitCode } from '../exit-code.js';

/** `kubewright version`. */
export const declareVersion: DeclareCommand = (program, io, finish) => {
  program
    .command('version')
    .description('print the versions of kubewright, Node and the packages of this project')
    .action(async () => {
      const { versionReport } = await import('./version-report.js');
      io.stdout.write(versionReport(io.cwd));
      finish(exitCode.done);
    });
};
