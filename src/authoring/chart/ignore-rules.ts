/** One line of `.helmignore`. */
interface IgnoreRule {
  readonly pattern: string;
  readonly isNegated: boolean;
  readonly isFolderOnly: boolean;
  /** Whether the pattern is about the whole path, not about the last name. */
  readonly isPath: boolean;
}

/** Reads the rules of `.helmignore`, with helm's own first: hidden files of `templates/`. */
export function parseIgnoreRules(text: string): readonly IgnoreRule[] {
  return ['templates/.?*', ...text.split('\n')].flatMap((line) => {
    const rule = line.trim();
    if (rule === '' || rule.startsWith('#') || rule.length > 1024) return [];
    const isNegated = rule.startsWith('!');
    const bare = isNegated ? rule.slice(1) : rule;
    const isFolderOnly = bare.endsWith('/');
    const named = isFolderOnly ? bare.slice(0, -1) : bare;
    const isPath = named.includes('/');
    return [{ pattern: named.replace(/^\//, ''), isNegated, isFolderOnly, isPath }];
  });
}

/** Returns whether a file or folder of a chart is left out of its archive. */
export function isIgnored(rules: readonly IgnoreRule[], path: string, isFolder: boolean): boolean {
  const last = path.slice(path.lastIndexOf('/') + 1);
  for (const { pattern, isNegated, isFolderOnly, isPath } of rules) {
    if (isFolderOnly && !isFolder) continue;
    const matches = matchName(pattern, isPath ? path : last);
    // as helm reads them: a negated rule leaves out all paths that it does not match
    if (isNegated ? !matches : matches) return true;
  }
  return false;
}

/** Matches `*` and `?` within one segment, in time of at most the product of the lengths. */
function matchName(pattern: string, text: string): boolean {
  let at = 0;
  let back = -1;
  let resume = 0;
  let i = 0;
  while (i < text.length) {
    if (at < pattern.length && pattern[at] === '*') {
      back = at;
      resume = i;
      at += 1;
    } else if (at < pattern.length && (pattern[at] === text[i] || (pattern[at] === '?' && text[i] !== '/'))) {
      at += 1;
      i += 1;
    } else if (back >= 0 && text[resume] !== '/') {
      at = back + 1;
      resume += 1;
      i = resume;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
