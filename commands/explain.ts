import { selectNearest } from '../src/base/nearest.ts';
import { type Cases, toCases } from '../src/text/cases.ts';
import { errorCodes } from '../src/text/errors/codes.ts';
import { type ErrorCode, errorRegistry } from '../src/text/errors/registry.ts';
import { exitCodes } from '../src/text/exit-codes.ts';
import { listAlternatives, toGeneralSentence } from '../src/text/fill.ts';
import { fr, type Language, speak } from '../src/text/language.ts';
import { getMessage } from '../src/text/message.ts';
import { BaseCommand } from './cli/base-command.ts';
import type { CommandHelp } from './cli/command-definition.ts';
import { CommandLineError } from './cli/command-line-error.ts';
import { argument } from './cli/inputs.ts';
import { headingOf } from './render/remedy.ts';
import { wrap } from './render/wrap.ts';

/** Widest line of an explanation, in columns. */
const widest = 100;

export class ExplainCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Prints what happened, the probable cause and what to do for each error code that is named; without an argument, for every code. The prefix SVC- can be omitted. Names in braces are parameters that an error fills in; where an error has several causes, the remedy of each is below it. An instance names a setting in place of a path: <storage.root> is the folder of storage.root.',
        fr`Affiche pour chaque code d’erreur nommé ce qui s’est passé, la cause probable et que faire ; sans argument, pour tous les codes. Le préfixe SVC- peut être omis. Les noms entre accolades sont les paramètres qu’une erreur remplit ; si une erreur a plusieurs causes, le remède de chacune est au-dessous d’elle. Une instance nomme un réglage à la place d’un chemin : <storage.root> est le dossier de storage.root.`,
      ],
    ],
    examples: [
      [['One code', fr`Un code`], 'svc explain MED-012'],
      [['Several codes', fr`Plusieurs codes`], 'svc explain MED-012 STO-004'],
      [['All codes', fr`Tous les codes`], 'svc explain | less'],
      [['For a script', fr`Pour un script`], 'svc explain SVC-REG-003 --output json'],
    ],
  };

  codes: string[] = argument.any(['code', fr`code`], errorCodes);

  async run(): Promise<number> {
    const { language } = this;
    const named = new Set(this.codes.map((code) => this.#findCode(code)));
    const codes = named.size === 0 ? errorCodes : [...named];
    if (this.format === 'json')
      await this.printDocument({ errors: codes.map((code) => explain(code, this.outputLanguage)) });
    else {
      const { columns } = this.context.stdout as { readonly columns?: number };
      const width = Math.min(columns ?? widest, widest);
      this.context.stdout.write(codes.map((code) => renderExplanation(code, language, width)).join('\n'));
    }
    return 0;
  }

  /** @throws CommandLineError when no error has this code */
  #findCode(given: string): ErrorCode {
    const wanted = toCode(given);
    const found = errorCodes.find((code) => code === wanted);
    if (found !== undefined) return found;
    const nearest = selectNearest(wanted, errorCodes);
    throw new CommandLineError([
      `unknown error code '${given}'${nearest === undefined ? '; svc explain lists all codes' : `; did you mean ${nearest}?`}`,
      fr`code d’erreur « ${given} » inconnu ${nearest === undefined ? '; svc explain liste tous les codes' : fr`; vouliez-vous dire ${nearest} ?`}`,
    ]);
  }
}

interface Explanation {
  readonly code: ErrorCode;
  readonly class: string;
  readonly exit_code: number;
  /** HTTP status of the error in an answer. */
  readonly status: number;
  readonly title: string;
  readonly cause: string;
  readonly action: string;
  /** Parameters of the sentences; a trailing `?` marks one that may be absent. */
  readonly params: readonly string[];
}

/** Spells a code as the registry does: `med-12`, `MED012` and `svc_med_012` are `SVC-MED-012`. */
function toCode(given: string): string {
  const [, family = '', number = ''] =
    /^(?:SVC[-_ ]?)?([A-Z]+)[-_ ]?(\d+)$/.exec(given.trim().toUpperCase()) ?? [];
  return family === '' ? given.trim().toUpperCase() : `SVC-${family}-${number.padStart(3, '0')}`;
}

function explain(code: ErrorCode, language: Language): Explanation {
  const { class: kind, status, params } = errorRegistry[code];
  const { what, cause, action } = getMessage(code, language);
  const general = (sentence: string): string => toGeneralSentence(sentence, language);
  return {
    code,
    class: kind,
    exit_code: exitCodes[kind],
    status,
    title: general(what),
    cause: general(cause),
    action: general(action),
    params: Object.keys(params),
  };
}

function renderExplanation(code: ErrorCode, language: Language, width: number): string {
  const { class: kind, status } = errorRegistry[code];
  const { what, cause, action } = getMessage(code, language);
  const text = speak(language);
  const kinds: Readonly<Record<string, string>> = {
    failure: text('failure', fr`échec`),
    policy: text('policy', fr`politique`),
    verification: text('verification', fr`vérification`),
  };
  const heading = text(
    `${code}  ${kinds[kind]}, exit code ${exitCodes[kind]}, HTTP ${status}`,
    fr`${code}  ${kinds[kind]!}, code de sortie ${String(exitCodes[kind])}, HTTP ${String(status)}`,
  );
  const lines = [
    ...listAlternatives(what, language),
    ...renderCases(toCases({ cause, action }, language), language),
  ];
  return `${heading}\n${lines.flatMap((line) => indent(line, width)).join('')}`;
}

/** Each cause with its remedies, then the remedies for all causes. A wrapped line keeps the spaces at its beginning. */
function renderCases({ cases, cause, action }: Cases, language: Language): readonly string[] {
  const line = (part: 'cause' | 'action', sentence: string, indentation = ''): readonly string[] =>
    sentence === '' ? [] : [`${indentation}${headingOf(part, language)}${sentence}`];
  return [
    ...cases.flatMap(({ cause: why, actions }) => [
      ...line('cause', why),
      ...actions.flatMap((what) => line('action', what, why === '' ? '' : '  ')),
    ]),
    ...line('cause', cause),
    ...line('action', action),
  ];
}

function indent(line: string, width: number): readonly string[] {
  const text = line.trimStart();
  const indentation = ' '.repeat(2 + line.length - text.length);
  return wrap(text, width - indentation.length).map((part) => `${indentation}${part}\n`);
}
