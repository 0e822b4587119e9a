import { readFileSync } from 'node:fs';

/** What tells a process from a later one with the same id: the id and, where the system tells it, its time of start. */
export function processMark(pid: number = process.pid): string {
  return `${pid} ${statusOf(pid)?.started ?? ''}`.trim();
}

/** Whether the process that gave itself a {@link processMark} still runs. */
export function isRunning(mark: string): boolean {
  const [id = '', started = ''] = mark.trim().split(' ');
  const pid = Number(id);
  if (!Number.isInteger(pid) || pid <= 0 || !hasProcess(pid)) return false;
  const status = statusOf(pid);
  // A killed process stays as a zombie until its parent asks for it; in a container often nobody does.
  if (status?.ended) return false;
  // Ids come back, in containers even the same one at each start.
  return started === '' || status === undefined || status.started === started;
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** From /proc; undefined on systems without it. */
function statusOf(pid: number): { readonly ended: boolean; readonly started: string } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The name, in brackets, may hold anything; behind it come the state (field 3) and the time of start (field 22).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = ''] = fields;
  return { ended: state === 'Z' || state === 'X', started: fields[19] ?? '' };
}
