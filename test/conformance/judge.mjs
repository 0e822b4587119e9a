// Compares the suite's results with the list of checks that may still fail.

/** Ids of a list file: one at the start of each line; `#` begins a comment. */
export const readIds = (text) =>
  new Set(
    text
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim().split(/\s+/)[0])
      .filter(Boolean),
  );

/**
 * Returns the lines to print, the sum last, and how many results are wrong: a failure that is not listed, and a listed
 * check that passes. A check that the suite skipped proves nothing either way.
 */
export function judge(results, mayFail) {
  const lines = [];
  let wrong = 0;
  for (const { id, title, result, message } of results) {
    if (result === 'skipped') lines.push(`skipped: ${id} ${message}`);
    if (result === 'failed' && mayFail.has(id)) lines.push(`not yet: ${id} ${title}\n    ${message}`);
    if (result === 'failed' && !mayFail.has(id)) {
      wrong++;
      lines.push(`FAIL ${id} ${title}\n    ${message}`);
    }
    if (result === 'passed' && mayFail.has(id)) {
      wrong++;
      lines.push(`FAIL ${id} passes now: take it off test/conformance/not-passing.txt`);
    }
  }
  const passed = results.filter(({ result }) => result === 'passed').length;
  lines.push(`conformance: ${passed} passed of ${results.length}`);
  return { lines, wrong };
}
