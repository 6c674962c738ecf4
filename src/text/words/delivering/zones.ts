import { fr } from '../../language.ts';

/** The pages `/zones` and `/zones/{zone}`, and the command `svc zones`. */
export const zones = {
  title: ['Zones', fr`Zones`],
  zone: ['Zone', fr`Zone`],
  receipt: ['Receipt', fr`Reçu`],
  recipe: ['Recipe', fr`Recette`],
  recipes: ['Recipes', fr`Recettes`],
  wanted: ['Wanted', fr`Voulue`],
  present: ['In the zone', fr`Dans la zone`],
  state: ['State', fr`État`],
  asOf: ['As of', fr`Au`],
  blocked: ['blocked', fr`bloquée`],
  missing: ['missing', fr`absente`],
  behind: ['another version', fr`autre version`],
  'in-transit': ['on its way', fr`en route`],
  unknown: ['unknown', fr`inconnu`],
  current: ['current', fr`à jour`],
  counts: [
    '[{blocked} blocked, ][{missing} missing, ][{behind} with another version, ][{inTransit} on their way, ][{unknown} unknown, ]{current} current',
    fr`[{blocked:bloquée/bloquées}, ][{missing:absente/absentes}, ][{behind} dans une autre version, ][{inTransit} en route, ][{unknown:inconnue/inconnues}, ]{current} à jour`,
  ],
  receiptLine: ['{sequence}, of {time}', fr`{sequence}, du {time}`],
  noReceipt: ['none', fr`aucun`],
  overdue: ['overdue', fr`en retard`],
  forked: [
    'two receipts have the number {sequence} (SVC-RCP-003): no state is known',
    fr`deux reçus portent le numéro {sequence} (SVC-RCP-003) : aucun état n’est connu`,
  ],
  unreadable: ['its receipt cannot be read ({code})', fr`son reçu ne peut pas être lu ({code})`],
  resolved: ['Retriever', fr`Retriever`],
  resolvedLine: ['resolved on {time}', fr`résolu le {time}`],
  partial: ['resolved in part on {time}', fr`résolu en partie le {time}`],
  unresolved: ['not resolved on {time}[ ({code})]', fr`non résolu le {time}[ ({code})]`],
  delivery: ['Delivery', fr`Livraison`],
  deliveries: ['Deliveries on their way', fr`Livraisons en route`],
  deliveryLine: [
    '{id}, {parts:disk/disks}, since {time}',
    fr`{id}, {parts:disque/disques}, depuis le {time}`,
  ],
  none: [
    'No zone is configured. Name the zones that are delivered to under zones in the configuration.',
    fr`Aucune zone n’est configurée. Nommez sous zones, dans la configuration, les zones à livrer.`,
  ],
} as const;
