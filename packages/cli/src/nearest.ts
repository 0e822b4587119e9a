/** The known word nearest to a mistyped one: at most two edits away, one for words of up to four letters (CLI-6). */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const limit = typed.length <= 4 ? 1 : 2;
  let best: { readonly word: string; readonly distance: number } | undefined;
  for (const word of known) {
    const distance = edits(typed, word);
    if (distance <= limit && distance < (best?.distance ?? Infinity)) best = { word, distance };
  }
  return best?.word;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function edits(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= from.length; row++) {
    rows.push([row]);
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
          ? at(row - 2, column - 2) + 1
          : Infinity;
      rows[row]?.push(Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, replaced, swapped));
    }
  }
  return at(from.length, to.length);
}
