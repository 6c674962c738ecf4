import type { StoredName, toCompletion } from './command-definition.ts';

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

type Completed = ReturnType<typeof toCompletion>;

interface CompletedFlag {
  readonly name: string;
  readonly takesValue: boolean;
  readonly description: string;
  readonly values: Completed;
}

export interface CompletedCommand {
  readonly path: readonly string[];
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  /** Possible values of the positional arguments. */
  readonly values: Completed;
}

/** Renders the completion script of a shell: commands, flags, fixed words, files and folders. */
export function renderCompletion(shell: Shell, commands: readonly CompletedCommand[]): string {
  switch (shell) {
    case 'bash':
      return renderBash(commands);
    case 'zsh':
      return renderZsh(commands);
    case 'fish':
      return renderFish(commands);
    case 'powershell':
      return renderPowershell(commands);
  }
}

/** Maps each incomplete path to the words that can follow: '' → serve, sync…; 'user' → add, list, passwd. */
function toGroups(commands: readonly CompletedCommand[]): Map<string, Map<string, string>> {
  const groups = new Map<string, Map<string, string>>([['', new Map()]]);
  for (const { path, summary } of commands) {
    for (const [depth, word] of path.entries()) {
      const parent = path.slice(0, depth).join(' ');
      if (!groups.has(parent)) groups.set(parent, new Map());
      const isLast = depth === path.length - 1;
      const siblings = commands.filter((other) => other.path[0] === word).map((other) => other.path[1]);
      groups.get(parent)!.set(word, isLast ? summary : siblings.join(', '));
    }
  }
  return groups;
}

/** Selects the incomplete paths, which are no commands. */
function selectGroups(commands: readonly CompletedCommand[]): (readonly [string, Map<string, string>])[] {
  return [...toGroups(commands)].filter(([path]) => !commands.some((one) => one.path.join(' ') === path));
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function isStoredName(values: Completed): values is StoredName {
  return values === 'recipe' || values === 'repository';
}

function bashValues(values: Completed): string {
  if (values === undefined) return 'return';
  // the path completion of readline quotes correctly
  if (values === 'file') return 'compopt -o default 2>/dev/null';
  if (values === 'folder') return 'compopt -o dirnames 2>/dev/null';
  if (isStoredName(values)) return `_svc_ask ${values}`;
  return `_svc_words ${values.join(' ')}`;
}

/**
 * Renders the loop with which bash and zsh find the path: the words that are neither flags nor their values.
 */
function renderPathLoop(
  commands: readonly CompletedCommand[],
  first: string,
  words: string,
  last: string,
): string {
  const paths = [...toGroups(commands).keys(), ...commands.map(({ path }) => path.join(' '))].filter(
    (path) => path,
  );
  return `  local at="" word i
  for ((i = ${first}; i < ${last}; i++)); do
    word="\${${words}[i]}"
    case "$at\${at:+ }$word" in
      ${[...new Set(paths)].map((path) => `"${path}"`).join('|')}) at="$at\${at:+ }$word" ;;
      *) break ;;
    esac
  done`;
}

function renderBash(commands: readonly CompletedCommand[]): string {
  const flagCases = commands.flatMap(({ path, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(({ name, values }) => `    "${path.join(' ')} ${name}") ${bashValues(values)}; return ;;`),
  );
  const groupCases = selectGroups(commands).map(
    ([path, words]) => `    "${path}") _svc_words ${[...words.keys()].join(' ')} ;;`,
  );
  const commandCases = commands.map(({ path, flags, values }) => {
    const names = flags.map(({ name }) => name).join(' ');
    return `    "${path.join(' ')}") if [[ $cur == -* ]]; then _svc_words ${names}; else ${bashValues(values)}; fi ;;`;
  });
  return `# bash completion of svc
# Offers the arguments that begin with the typed word. readline splits a word after = and : and before @, and replaces
# only its last piece, so the pieces before it are removed from the answers.
_svc_words() {
  local word
  for word; do
    [[ $word == "$cur"* ]] && COMPREPLY+=("\${word#"$before"}")
  done
}
# Prints the names of the store that svc finds; prints nothing on any error.
_svc_ask() {
  local word
  while IFS= read -r word; do
    _svc_words "$word"
  done < <(command "\${words[0]/#~/$HOME}" __complete "$1" "$cur" -- "\${words[@]}" 2>/dev/null)
}
_svc() {
  local cur prev before rest="\${COMP_LINE:0:COMP_POINT}" piece i
  local -a words=()
  COMPREPLY=()
  # the words of the shell, joined again from the pieces of readline
  for ((i = 0; i <= COMP_CWORD; i++)); do
    piece="\${COMP_WORDS[i]}"
    ((i == COMP_CWORD)) && piece="\${rest#"\${rest%%[![:space:]]*}"}"
    if ((i == 0)) || [[ $rest == [[:space:]]* ]]; then
      rest="\${rest#"\${rest%%[![:space:]]*}"}"
      words+=("$piece")
    else
      words[\${#words[@]}-1]+="$piece"
    fi
    rest="\${rest#"$piece"}"
  done
  local count=\${#words[@]}
  cur="\${words[count-1]}" prev=""
  ((count > 1)) && prev="\${words[count-2]}"
  [[ $piece == [=:@] ]] && piece=""
  before="\${cur%"$piece"}"
  before="\${before%@}"
  if [[ $cur == --*=* ]]; then
    prev="\${cur%%=*}" cur="\${cur#*=}" before="\${before#*=}"
  fi
${renderPathLoop(commands, '1', 'words', 'count - 1')}
  case "$at $prev" in
${flagCases.join('\n')}
  esac
  case "$at" in
${groupCases.join('\n')}
${commandCases.join('\n')}
  esac
}
complete -F _svc svc
`;
}

function zshValues(values: Completed): string {
  if (values === 'file') return '_files';
  if (values === 'folder') return '_files -/';
  if (isStoredName(values)) return `_svc_ask ${values}`;
  return values === undefined ? '_message value' : `compadd -- ${values.join(' ')}`;
}

function zshDescribe(entries: readonly (readonly [string, string])[]): string {
  const items = entries.map(([name, text]) => quote(`${name.replaceAll(':', '\\:')}:${text}`)).join(' ');
  const kind = entries[0]?.[0].startsWith('-') ? '-o flag' : 'command';
  return `items=(${items}); _describe ${kind} items`;
}

function renderZsh(commands: readonly CompletedCommand[]): string {
  const flagCases = commands.flatMap(({ path, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(({ name, values }) => `    "${path.join(' ')} ${name}") ${zshValues(values)}; return ;;`),
  );
  const groupCases = selectGroups(commands).map(
    ([path, words]) => `    "${path}") ${zshDescribe([...words])} ;;`,
  );
  const commandCases = commands.map(({ path, flags, values }) => {
    const described = zshDescribe(flags.map(({ name, description }) => [name, description]));
    return `    "${path.join(' ')}") if [[ $PREFIX == -* ]]; then ${described}; else ${zshValues(values)}; fi ;;`;
  });
  return `#compdef svc
# zsh completion of svc
# Prints the names of the store that svc finds; prints nothing on any error.
_svc_ask() {
  local -a found
  found=(\${(f)"$(command "\${words[1]/#~/$HOME}" __complete "$1" "$PREFIX" -- "\${(@)words}" 2>/dev/null)"})
  compadd -a -- found
}
_svc() {
  local -a items
  local prev="\${words[CURRENT-1]}"
  if [[ $PREFIX == --*=* ]]; then
    prev="\${PREFIX%%=*}"
    compset -P 1 '*='
  fi
${renderPathLoop(commands, '2', 'words', 'CURRENT')}
  case "$at $prev" in
${flagCases.join('\n')}
  esac
  case "$at" in
${groupCases.join('\n')}
${commandCases.join('\n')}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _svc "$@"; else compdef _svc svc; fi
`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function renderFish(commands: readonly CompletedCommand[]): string {
  const lines: string[] = [];
  for (const [path, words] of selectGroups(commands)) {
    for (const [word, text] of words) {
      lines.push(
        `complete -c svc -n ${fishQuote(`__svc_at ${path}`.trim())} -f -a ${word} -d ${fishQuote(text)}`,
      );
    }
  }
  for (const { path, flags, values } of commands) {
    const when = `complete -c svc -n ${fishQuote(`__svc_in ${path.join(' ')}`)}`;
    if (Array.isArray(values)) lines.push(`${when} -f -a ${fishQuote(values.join(' '))}`);
    else if (isStoredName(values)) lines.push(`${when} -f -a '(__svc_ask ${values})'`);
    else if (values === undefined) lines.push(`${when} -f`);
    for (const { name, takesValue, description, values: choices } of flags) {
      const files =
        choices === 'file' ? ' -r -F' : choices === 'folder' ? " -x -a '(__fish_complete_directories)'" : '';
      const words = Array.isArray(choices)
        ? ` -x -a ${fishQuote(choices.join(' '))}`
        : isStoredName(choices)
          ? ` -x -a '(__svc_ask ${choices})'`
          : '';
      const plain = takesValue && files === '' && words === '' ? ' -x' : '';
      lines.push(`${when} -l ${name.slice(2)}${files}${words}${plain} -d ${fishQuote(description)}`);
    }
  }
  return `# fish completion of svc
function __svc_at
  set -l words (commandline -opc)
  set -e words[1]
  test "$words" = "$argv"
end
function __svc_in
  set -l words (commandline -opc)
  set -e words[1]
  set -l count (count $argv)
  test (count $words) -ge $count; and test "$words[1..$count]" = "$argv"
end
# Prints the names of the store that svc finds; prints nothing on any error.
function __svc_ask
  set -l words (commandline -opc)
  command $words[1] __complete $argv[1] (commandline -ct | string replace -r -- '^--[a-z-]+=' '') -- $words 2>/dev/null
end
${lines.join('\n')}
`;
}

function psQuote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function psValues(values: Completed): string {
  if (values === 'file' || values === 'folder') return '$null';
  if (isStoredName(values)) return `@(':${values}')`;
  return values === undefined ? '@()' : `@(${values.map(psQuote).join(', ')})`;
}

function renderPowershell(commands: readonly CompletedCommand[]): string {
  const groupLines = selectGroups(commands).map(
    ([path, words]) => `    ${psQuote(path)} = @(${[...words.keys()].map(psQuote).join(', ')})`,
  );
  const commandLines = commands.map(
    ({ path, flags }) =>
      `    ${psQuote(path.join(' '))} = @(${flags.map(({ name }) => psQuote(name)).join(', ')})`,
  );
  const argumentLines = commands.map(
    ({ path, values }) => `    ${psQuote(path.join(' '))} = ${psValues(values)}`,
  );
  const valueLines = commands.flatMap(({ path, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(({ name, values }) => `    ${psQuote(`${path.join(' ')} ${name}`)} = ${psValues(values)}`),
  );
  return `# PowerShell completion of svc
Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $groups = @{
${groupLines.join('\n')}
  }
  $flags = @{
${commandLines.join('\n')}
  }
  $arguments = @{
${argumentLines.join('\n')}
  }
  $values = @{
${valueLines.join('\n')}
  }
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -ne '' -and $words.Count -gt 0) { $words = @($words | Select-Object -SkipLast 1) }
  $path = ''
  foreach ($word in $words) {
    $next = "$path $word".Trim()
    if ($groups.ContainsKey($next) -or $flags.ContainsKey($next)) { $path = $next } else { break }
  }
  $last = if ($words.Count -gt 0) { $words[-1] } else { '' }
  if ($values.ContainsKey("$path $last")) { $found = $values["$path $last"] }
  elseif (-not $flags.ContainsKey($path)) { $found = $groups[$path] }
  elseif ($wordToComplete.StartsWith('-')) { $found = $flags[$path] }
  else { $found = $arguments[$path] }
  if ($found -and "$found".StartsWith(':')) {
    # names of the store; svc prints nothing on any error
    $program = $commandAst.CommandElements[0].ToString()
    $found = & $program __complete "$found".Substring(1) "$wordToComplete" '--' @words 2>$null
  }
  # returns nothing: PowerShell completes paths by itself
  $found | Where-Object { $_ -like "$wordToComplete*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
}
