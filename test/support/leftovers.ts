import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

let reaper: Writable | undefined;

/** One reaper for the whole test process, started on first use. It lives until our end of the pipe closes. */
function tell(line: string): void {
  if (!reaper) {
    const script = fileURLToPath(new URL('reaper.js', import.meta.url));
    const child = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'inherit'], detached: true });
    child.unref();
    reaper = child.stdin;
    // The pipe must not keep the test process alive.
    (child.stdin as Writable & { unref(): void }).unref();
  }
  reaper.write(`${line}\n`);
}

/** The process is killed when this one ends, unless `forgetProcess` comes first. */
export const rememberProcess = (pid: number): void => tell(`+${pid}`);

/** The process has ended; its id may soon belong to another. */
export const forgetProcess = (pid: number): void => tell(`-${pid}`);

/** A new folder under the system's temporary one; removed when this process has ended, if not before. */
export async function temporaryFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `kubewright-${prefix}-`));
  tell(folder);
  return folder;
}
