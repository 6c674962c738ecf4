import { fr } from '../../src/text/language.ts';
import { type Rule, rule } from '../../src/text/rule.ts';

/** A source of apt that is not tested. */
export interface UntestedSource {
  /** The source is of a form that is not understood, with which a test has no success. */
  readonly isUnread: boolean;
  /** Counted from 1. */
  readonly line: number;
  /** Where the source leads, as it is written. */
  readonly uri: string;
  /** Why it is not tested, as the predicate of a sentence. */
  readonly detail: Rule;
}

/** The sources of a file that apt fetches through the gate, and those that it does not. */
export interface SelectedSources {
  /** The file with the former only. */
  readonly content: string;
  readonly untested: readonly UntestedSource[];
}

/** apt fetches these through a proxy. It runs another program for every other method, some of which log in to machines or read disks. */
const isTestable = (uri: string): boolean => /^https?:\/\//i.test(uri);

function toUntested(line: number, uri: string): UntestedSource {
  const method = /^([A-Za-z][A-Za-z0-9.+-]*):/.exec(uri)?.[1];
  const isUnread = method === undefined;
  const detail = isUnread
    ? rule([
        'not understood: it has no address that begins with http:// or https://',
        fr`pas compris : il n’y a pas d’adresse qui commence par http:// ou https://`,
      ])
    : rule(
        [
          'not tested: apt fetches {method}: beside the gate of this command',
          fr`pas essayé : apt utilise {method}: à côté du passage de cette commande`,
        ],
        { method: method.slice(0, 64) },
      );
  return { line, uri: uri.slice(0, 512), isUnread, detail };
}

/** Selects sources of the one-line form (sources.list(5)): `deb [option=value …] uri suite component …`. */
function selectLines(text: string): SelectedSources {
  const untested: UntestedSource[] = [];
  const kept = text.split('\n').map((line, index) => {
    const source = line.replace(/#.*/, '').trim();
    if (source === '') return '';
    const [, uri = ''] = /^deb(?:-src)?[ \t]+(?:\[[^\]]*\][ \t]*)?(\S+)/.exec(source) ?? [];
    if (isTestable(uri)) return line;
    untested.push(toUntested(index + 1, uri === '' ? source : uri));
    return '';
  });
  return { content: kept.join('\n'), untested };
}

interface Field {
  readonly name: string;
  /** First line of the field, counted from 1. */
  readonly line: number;
  readonly lines: string[];
}

/** Splits a stanza into its fields; a line that begins with a blank continues the field before it. */
function toFields(lines: readonly { readonly text: string; readonly number: number }[]): readonly Field[] {
  const fields: Field[] = [];
  for (const { text, number } of lines) {
    const [, name] = /^([^\s:#][^\s:]*)[ \t]*:/.exec(text) ?? [];
    if (name !== undefined) fields.push({ name: name.toLowerCase(), line: number, lines: [text] });
    else fields.at(-1)?.lines.push(text);
  }
  return fields;
}

/** A field that is off: the words for it that apt takes. */
const off = /:\s*(?:no|false|without|off|disable|0)\s*$/i;

/** Selects sources of the deb822 form (sources.list(5)): stanzas with a field `URIs` of one address or more. */
function selectStanzas(text: string): SelectedSources {
  const untested: UntestedSource[] = [];
  const kept: string[] = [];
  let stanza: { text: string; number: number }[] = [];
  const end = (): void => {
    const [first] = stanza;
    const fields = toFields(stanza);
    stanza = [];
    if (first === undefined) return;
    if (fields.length === 0) {
      untested.push(toUntested(first.number, first.text.trim()));
      return;
    }
    // of a field that is written twice apt takes one: both must say so
    const switches = fields.filter(({ name }) => name === 'enabled');
    if (switches.length > 0 && switches.every(({ lines }) => off.test(lines[0]!))) return;
    const found = fields.filter(({ name }) => name === 'uris');
    const uris = found.flatMap(({ line, lines }) =>
      lines.flatMap((each, i) =>
        (i === 0 ? each.slice(each.indexOf(':') + 1) : each)
          .split(/\s+/)
          .filter((uri) => uri !== '')
          .map((uri) => ({ uri, line: line + i })),
      ),
    );
    if (uris.length === 0) untested.push(toUntested(fields[0]!.line, fields[0]!.lines[0]!.trim()));
    for (const { uri, line } of uris) if (!isTestable(uri)) untested.push(toUntested(line, uri));
    const testable = uris.flatMap(({ uri }) => (isTestable(uri) ? [uri] : []));
    if (testable.length === 0) return;
    const others = fields.filter(({ name }) => name !== 'uris').flatMap(({ lines }) => lines);
    kept.push([...others, `URIs: ${testable.join(' ')}`].join('\n'));
  };
  for (const [index, line] of text.split('\n').entries())
    if (line.trim() === '') end();
    else if (!line.startsWith('#')) stanza.push({ text: line, number: index + 1 });
  end();
  return { content: `${kept.join('\n\n')}\n`, untested };
}

/**
 * Selects the sources of a file that a test can run: those whose addresses begin with http:// or https://. The others are
 * listed, so that they do not pass for tested.
 *
 * @param name name of the file, whose end says its form: `.sources` for deb822, otherwise one source a line
 */
export function selectSources(name: string, text: string): SelectedSources {
  return name.endsWith('.sources') ? selectStanzas(text) : selectLines(text);
}
