// A process of its own that ends what a test process started and removes its folders, however that one ends: a crash
// and SIGKILL included. It reads lines from stdin, whose end means that the test process is gone:
// "+<pid>" started, "-<pid>" ended, "/<path>" a folder to remove.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const pids = new Set<number>();
const folders = new Set<string>();

for await (const line of createInterface({ input: process.stdin })) {
  if (line.startsWith('/')) folders.add(line);
  else if (line.startsWith('+')) pids.add(Number(line.slice(1)));
  else pids.delete(Number(line.slice(1)));
}
for (const pid of pids) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself a moment ago.
  }
}
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
