/** A variable that a text needs and that has no value. */
export class UnsetVariableError extends Error {
  override name = 'UnsetVariableError';
  readonly variable: string;
  /** Message of the author of the text: that of `${X:?message}`. */
  readonly advice: string | undefined;

  constructor(variable: string, advice?: string) {
    super(variable);
    this.variable = variable;
    this.advice = advice;
  }
}

const deepest = 16;
/** Characters of the message of a variable. */
const longestAdvice = 300;

/**
 * Replaces the variables of a text as compose does (compose specification, Interpolation): `$X`, `${X}`, `${X:-default}`,
 * `${X-default}`, `${X:+other}`, `${X+other}`, `${X:?message}`, `${X?message}`, and `$$` for a dollar sign. A variable without
 * a value is an error, where compose would leave a hole.
 *
 * @throws UnsetVariableError; SyntaxError when the text cannot be read
 */
export function interpolate(text: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  if (depth > deepest) throw new SyntaxError('too deeply nested');
  let result = '';
  for (let at = 0; at < text.length; ) {
    const dollar = text.indexOf('$', at);
    if (dollar < 0) return result + text.slice(at);
    result += text.slice(at, dollar);
    const next = text[dollar + 1];
    if (next === '$') {
      result += '$';
      at = dollar + 2;
    } else if (next === '{') {
      const end = findEnd(text, dollar + 2);
      result += expand(text.slice(dollar + 2, end), variables, depth);
      at = end + 1;
    } else {
      const name = /^[A-Za-z_][A-Za-z0-9_]*/.exec(text.slice(dollar + 1, dollar + 257))?.[0];
      if (name === undefined) throw new SyntaxError('$ without a name');
      result += requireValue(name, variables);
      at = dollar + 1 + name.length;
    }
  }
  return result;
}

/** The position of the brace that closes the one before `start`. */
function findEnd(text: string, start: number): number {
  let depth = 1;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '$' && text[at + 1] === '{') depth += 1;
    else if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  throw new SyntaxError('a brace is not closed');
}

function expand(inner: string, variables: ReadonlyMap<string, string>, depth: number): string {
  const match = /^([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-+?])([\s\S]*))?$/.exec(inner);
  if (!match) throw new SyntaxError('a brace without a name');
  const [, name = '', operator, operand = ''] = match;
  const value = variables.get(name);
  const isSet = value !== undefined && (operator?.startsWith(':') !== true || value !== '');
  const other = (): string => interpolate(operand, variables, depth + 1);
  if (operator === undefined) return requireValue(name, variables);
  if (operator.endsWith('+')) return isSet ? other() : '';
  if (isSet) return value;
  if (operator.endsWith('-')) return other();
  throw new UnsetVariableError(name, operand.slice(0, longestAdvice) || undefined);
}

function requireValue(name: string, variables: ReadonlyMap<string, string>): string {
  const value = variables.get(name);
  if (value === undefined) throw new UnsetVariableError(name);
  return value;
}

/** Reads a file of variables, `NAME=value` on each line; quotes around a value are removed. */
export function readVariables(text: string): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=(.*)$/.exec(line);
    if (match) variables.set(match[1]!, toValue(match[2]!.trim()));
  }
  return variables;
}

function toValue(text: string): string {
  const quoted = /^"([^"]*)"|^'([^']*)'/.exec(text);
  if (quoted) return quoted[1] ?? quoted[2] ?? '';
  const comment = text.search(/\s#/);
  return (comment < 0 ? text : text.slice(0, comment)).trim();
}
