import { selectNearest } from '../src/base/nearest.ts';
import { errorCodes } from '../src/text/errors/codes.ts';
import { type ErrorCode, errorRegistry } from '../src/text/errors/registry.ts';
import { exitCodes } from '../src/text/exit-codes.ts';
import { toGeneralSentence } from '../src/text/fill.ts';
import { fr, type Language, speak } from '../src/text/language.ts';
import { getMessage } from '../src/text/message.ts';
import { BaseCommand } from './cli/base-command.ts';
import type { CommandHelp } from './cli/command-definition.ts';
import { CommandLineError } from './cli/command-line-error.ts';
import { argument } from './cli/inputs.ts';
import { renderRemedy } from './render/remedy.ts';
import { wrap } from './render/wrap.ts';

/** Widest line of an explanation, in columns. */
const widest = 100;

export class ExplainCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Prints what happened, the probable cause and what to do for an error code; without an argument, for every code. The prefix SVC- can be omitted. Names in braces are parameters that an error fills in; a sentence after Or: applies in another situation. An instance names a setting in place of a path: <storage.root> is the folder of storage.root.',
        fr`Affiche pour un code d’erreur ce qui s’est passé, la cause probable et que faire ; sans argument, tous les codes. Le préfixe SVC- peut être omis. Les noms entre accolades sont les paramètres qu’une erreur remplit ; une phrase après « Ou bien : » vaut dans une autre situation. Une instance nomme un réglage à la place d’un chemin : <storage.root> est le dossier de storage.root.`,
      ],
    ],
    examples: [
      [['One code', fr`Un code`], 'svc explain MED-012'],
      [['All codes', fr`Tous les codes`], 'svc explain | less'],
      [['For a script', fr`Pour un script`], 'svc explain SVC-REG-003 --output json'],
    ],
  };

  code: string | undefined = argument.optional(['code', fr`code`], errorCodes);

  async run(): Promise<number> {
    const { language } = this;
    const codes = this.code === undefined ? errorCodes : [this.#findCode(this.code)];
    const errors = codes.map((code) => explain(code, this.outputLanguage));
    if (this.format === 'json') await this.printDocument({ errors });
    else {
      const { columns } = this.context.stdout as { readonly columns?: number };
      const width = Math.min(columns ?? widest, widest);
      this.context.stdout.write(errors.map((one) => renderExplanation(one, language, width)).join('\n'));
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

function renderExplanation(
  { code, class: kind, exit_code, status, ...message }: Explanation,
  language: Language,
  width: number,
): string {
  const text = speak(language);
  const kinds: Readonly<Record<string, string>> = {
    failure: text('failure', fr`échec`),
    policy: text('policy', fr`politique`),
    verification: text('verification', fr`vérification`),
  };
  const heading = text(
    `${code}  ${kinds[kind]}, exit code ${exit_code}, HTTP ${status}`,
    fr`${code}  ${kinds[kind]!}, code de sortie ${String(exit_code)}, HTTP ${String(status)}`,
  );
  const sentences = [
    message.title,
    ...renderRemedy({ what: message.title, cause: message.cause, action: message.action }, language),
  ];
  const lines = sentences.flatMap((sentence) => wrap(sentence, width - 2).map((line) => `  ${line}\n`));
  return `${heading}\n${lines.join('')}`;
}
