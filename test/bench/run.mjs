// npm run bench                      prints all benches; nothing is asserted
// npm run --silent bench -- one p1 … one workload alone, in this process; does not build first, so that its time counts
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const [command, ...rest] = process.argv.slice(2);
const compiled = new URL('../dist/bench/', import.meta.url);

if (command === 'one') {
  if (!existsSync(new URL('one.js', compiled))) {
    console.error('not built yet; run: npm run build');
    process.exit(1);
  }
  const { one } = await import(new URL('one.js', compiled));
  await one(rest);
} else if (command === undefined) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  const { suite } = await import(new URL('suite.js', compiled));
  await suite();
} else {
  console.error('usage: npm run bench, or npm run --silent bench -- one p1 --kubeconfig FILE --count N --t0 NANOS');
  process.exit(2);
}
