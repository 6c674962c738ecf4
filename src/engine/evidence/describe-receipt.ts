import type { ReceiptFacts, ReceivedRecipe } from '../../contract/receipt.ts';
import { fr, type Language, type Sentence } from '../../text/language.ts';
import { type RuleValue, rule, sayRule } from '../../text/rule.ts';
import { receipts } from '../../text/words/delivering/receipts.ts';

/** The facts of a receipt in words, a row each. */
interface DescribedReceipt {
  readonly delivery: readonly string[];
  readonly registry: readonly string[];
  readonly recipes: readonly string[];
  /** Whether the registry has all of each recipe. */
  readonly isWhole: boolean;
}

const recipeStates: Readonly<Record<ReceivedRecipe['state'], Sentence>> = {
  present: ['{recipe}: present', fr`{recipe} : présente`],
  incomplete: [
    '{recipe}: waits for {files:file/files}[, {bytes:size}]',
    fr`{recipe} : attend {files:fichier/fichiers}[, {bytes:size}]`,
  ],
  blocked: ['{recipe}: refused[ for {code}]', fr`{recipe} : refusée[, {code}]`],
};

/** Says what a receipt states, for the page of a pack. */
export function describeReceipt(receipt: ReceiptFacts, language: Language): DescribedReceipt {
  const tell = (sentence: Sentence, values: Readonly<Record<string, RuleValue | undefined>> = {}): string =>
    sayRule(rule(sentence, values), language);
  const { evidence, previous, freshness, lastDelivery, destination, states, inventory } = receipt;
  const some = (many: number): number | undefined => (many === 0 ? undefined : many);
  const { present, incomplete, blocked } = states;
  const nameOf = ({ name, version = '', digest }: ReceivedRecipe): string =>
    name === undefined ? digest : `${name}@${version}`;
  const tellRecipe = (one: ReceivedRecipe): string => {
    const { state, code, missing, displacedBy } = one;
    const recipe = nameOf(one);
    const other = displacedBy && receipt.recipes.find(({ digest }) => digest === displacedBy);
    const by = displacedBy && tell(receipts.displaced, { by: other ? nameOf(other) : displacedBy });
    const files = missing?.files ?? 0;
    const said = tell(recipeStates[state], { recipe, files, bytes: some(missing?.bytes ?? 0), code });
    return [said, ...(by ? [by] : [])].join(', ');
  };
  return {
    delivery: [
      ...(lastDelivery
        ? [
            tell(['part {part} of {id}', fr`partie {part} de {id}`], { ...lastDelivery }),
            lastDelivery.manifest,
          ]
        : []),
      ...(freshness
        ? [
            tell(['medium {mediaId} of {resolvedAt}', fr`support {mediaId} du {resolvedAt}`], {
              mediaId: freshness.mediaId,
              resolvedAt: freshness.resolvedAt,
            }),
          ]
        : []),
    ],
    registry: [
      tell(receipts.counts, { present, incomplete: some(incomplete), blocked: some(blocked) }),
      tell(receipts[evidence]),
      tell(['indexes without some platforms: {sparse}', fr`index sans certaines plateformes : {sparse}`], {
        sparse: destination.sparse,
      }),
      ...(destination.freeBytes === undefined
        ? []
        : [tell(['{free:size} free', fr`{free:size} libres`], { free: destination.freeBytes })]),
      ...(inventory ? [tell(['inventory {inventory}', fr`inventaire {inventory}`], { inventory })] : []),
      ...(previous ? [tell(['follows receipt {previous}', fr`suit le reçu {previous}`], { previous })] : []),
    ],
    recipes: receipt.recipes.map(tellRecipe),
    isWhole: incomplete === 0 && blocked === 0,
  };
}
