import { fr, type Sentence } from '../../../src/text/language.ts';
import { CommandLineError } from '../../cli/command-line-error.ts';
import { type Purpose, toPlan } from '../purpose.ts';

/** The flags that can contradict each other. */
interface MixedFlags {
  readonly mode: string | undefined;
  readonly retriever: string | undefined;
  readonly zone: string | undefined;
  readonly cookbook: string | undefined;
  readonly destination: string | undefined;
  readonly recipes: readonly string[];
  readonly admin: string | undefined;
  readonly serve: boolean;
  readonly passwordStdin: boolean;
}

/** @throws CommandLineError for flags that contradict each other */
export function refuseMixture(
  { mode, retriever, zone, cookbook, destination, recipes, admin, serve, passwordStdin }: MixedFlags,
  purpose: Purpose | undefined,
): void {
  const plan = toPlan(purpose);
  const what = purpose ? `--for ${purpose}` : '--mode';
  const mixtures: readonly (readonly [boolean, string, string, more?: Sentence])[] = [
    [plan !== undefined && mode !== undefined && mode !== plan.mode, `--mode ${mode}`, what],
    [plan?.hasInstance === false && serve, '--serve', what],
    [plan?.hasInstance === false && passwordStdin, '--password-stdin', what, laterAccount],
    [retriever !== undefined && cookbook !== undefined, '--cookbook', '--retriever'],
    [retriever !== undefined && recipes.length > 0, '--recipe', '--retriever'],
    // flags without effect: a source fills a medium, its Retriever names the zone, and a medium brings its own content
    [purpose === 'source' && destination !== undefined, '--destination', what],
    [purpose === 'source' && retriever !== undefined && zone !== undefined, '--zone', '--retriever'],
    [purpose === 'passthrough' && zone !== undefined, '--zone', what],
    [purpose === 'medium' && retriever !== undefined, '--retriever', what],
    [plan?.hasInstance === false && admin !== undefined, '--admin', what, laterAccount],
    [purpose !== 'source' && cookbook !== undefined, '--cookbook', what],
    [purpose !== 'source' && recipes.length > 0, '--recipe', what],
  ];
  for (const [isMixed, one, other, more] of mixtures)
    if (isMixed)
      throw new CommandLineError([
        `${one} cannot be used with ${other}${more?.[0] ?? ''}`,
        fr`${one} est incompatible avec ${other}${more?.[1] ?? ''}`,
      ]);
}

const laterAccount: Sentence = [
  ', which makes no account; before svc serve, make one with svc user add NAME',
  fr`, qui ne crée pas de compte ; avant svc serve, créez-en un avec svc user add NOM`,
];
