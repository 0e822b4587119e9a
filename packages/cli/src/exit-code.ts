/** Exit codes of every command (CLI-2). */
export const exitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  invalidProject: 3,
  filesDiffer: 4,
  cluster: 5,
  missingProgram: 6,
  interrupted: 130,
} as const;

/** One of {@link exitCode}. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

const OWN_CODES: Readonly<Record<string, ExitCode>> = {
  KW_USAGE: exitCode.usage,
  KW_PORT_IN_USE: exitCode.failed,
  KW_NODE_VERSION: exitCode.missingProgram,
};

/** The exit code of an error of ours, by its code. */
export function exitCodeOf(code: string): ExitCode {
  if (code in OWN_CODES) return OWN_CODES[code] as ExitCode;
  if (code.startsWith('KW_CRD_') || code.startsWith('KW_META_')) return exitCode.invalidProject;
  if (code.startsWith('KW_CLUSTER_')) return exitCode.cluster;
  return exitCode.failed;
}
