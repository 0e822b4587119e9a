// Writes a generated file, or with --check says whether it is fresh.
import { readFileSync, writeFileSync } from 'node:fs';

/** Answers 0, or 1 when `--check` was given and the file differs. */
export function writeOrCheck(file, text, args) {
  if (!args.includes('--check')) {
    writeFileSync(file, text);
    console.log(`${file.pathname.split('/').at(-1)}: written, ${text.length} characters`);
    return 0;
  }
  let present = '';
  try {
    present = readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const name = file.pathname.split('/').at(-1);
  const fresh = present === text;
  console.log(
    fresh ? `${name}: fresh` : `${name}: differs from what the Go modules say; run this script without --check`,
  );
  return fresh ? 0 : 1;
}

/** JSON with one line for each entry of `member`, so that a change of one type is a change of one line. */
export function linesOf(head, member, entries) {
  const lines = Object.keys(entries)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${JSON.stringify(entries[key])}`);
  const heads = Object.entries(head).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},\n`);
  return `{${heads.join('')}${JSON.stringify(member)}:{\n${lines.join(',\n')}\n}}\n`;
}
