import { fr } from '../../../src/base/language.ts';
import { CommandLineError } from '../../cli/command-line-error.ts';
import { type Purpose, toPlan } from '../purpose.ts';

/** The flags that can contradict each other. */
interface MixedFlags {
  readonly mode: string | undefined;
  readonly retriever: string | undefined;
  readonly cookbook: string | undefined;
  readonly recipes: readonly string[];
  readonly serve: boolean;
  readonly passwordStdin: boolean;
}

/** @throws CommandLineError for flags that contradict each other */
export function refuseMixture(
  { mode, retriever, cookbook, recipes, serve, passwordStdin }: MixedFlags,
  purpose: Purpose | undefined,
): void {
  const plan = toPlan(purpose);
  const what = purpose ? `--for ${purpose}` : '--mode';
  const mixtures: readonly (readonly [boolean, string, string])[] = [
    [plan !== undefined && mode !== undefined && mode !== plan.mode, `--mode ${mode}`, what],
    [plan?.hasInstance === false && serve, '--serve', what],
    [plan?.hasInstance === false && passwordStdin, '--password-stdin', what],
    [retriever !== undefined && cookbook !== undefined, '--cookbook', '--retriever'],
    [retriever !== undefined && recipes.length > 0, '--recipe', '--retriever'],
    [purpose !== 'source' && cookbook !== undefined, '--cookbook', what],
    [purpose !== 'source' && recipes.length > 0, '--recipe', what],
  ];
  for (const [isMixed, one, other] of mixtures)
    if (isMixed)
      throw new CommandLineError([
        `${one} cannot be used with ${other}`,
        fr`${one} est incompatible avec ${other}`,
      ]);
}
