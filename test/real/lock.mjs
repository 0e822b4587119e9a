// A lock file between builders. The holder touches it; one that is no longer touched belongs to a dead builder.
import { closeSync, openSync, rmSync, statSync, utimesSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const TOUCH_MS = 5_000;
const STALE_MS = 60_000;

/**
 * Runs `work` while holding `file`; waits for another holder, calling `onWait` once. Taking over a stale lock is not
 * exclusive to the last instant: two builders may then work side by side, which costs time but harms nothing, because
 * results are renamed into place whole.
 */
export async function withLock(file, onWait, work) {
  for (let told = false; !take(file); told = true) {
    if (!told) onWait();
    await pause(500);
  }
  const release = () => rmSync(file, { force: true });
  const touch = setInterval(() => utimesSync(file, new Date(), new Date()), TOUCH_MS);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    process.off('exit', release);
    release();
  }
}

function take(file) {
  try {
    closeSync(openSync(file, 'wx'));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (age > STALE_MS) rmSync(file, { force: true });
  return false;
}
