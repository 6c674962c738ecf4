/**
 * Returns the candidate that a mistyped name most likely means, compared without regard to case.
 *
 * @returns undefined when no candidate is close: more than a third of the name would have to change. Folders that both begin
 *   with, such as a host, make no other name close
 */
export function selectNearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length === 0 || name.length > 128) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    if (candidate.length > 128) continue;
    const other = candidate.toLowerCase();
    const distance = editDistance(wanted, other);
    const own = Math.max(wanted.length, other.length) - sharedFolders(wanted, other);
    const allowed = Math.max(1, Math.floor(own / 3));
    if (distance <= allowed && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Characters of the folders that two names begin with. */
function sharedFolders(a: string, b: string): number {
  let shared = 0;
  // the slash before a path is no folder
  for (let i = 0; i < a.length && a[i] === b[i]; i += 1) if (a[i] === '/' && i > 0) shared = i + 1;
  return shared;
}

/** Returns the number of insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, before[j - 2]! + 1);
      }
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}
