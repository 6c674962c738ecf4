import { fr } from '../../language.ts';

/** The pages `/zones` and `/zones/{zone}`, and the command `svc zones`. */
export const zones = {
  title: ['Zones', fr`Zones`],
  lead: [
    'What each zone should have, what it stated last, and what is on its way. Every figure is as old as its receipt.',
    fr`Ce que chaque zone doit avoir, ce qu’elle a déclaré en dernier, et ce qui est en route. Chaque chiffre a l’âge de son reçu.`,
  ],
  search: ['Part of the name', fr`Partie du nom`],
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
  forkedShort: ['two receipts of one number', fr`deux reçus d’un même numéro`],
  unreadableShort: ['unreadable', fr`illisible`],
  partialShort: ['in part', fr`en partie`],
  unresolvedShort: ['not resolved', fr`non résolu`],
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
  lacks: [
    '{files:file/files}, {bytes:size} missing',
    fr`{files:fichier manquant/fichiers manquants}, {bytes:size}`,
  ],
  noRecipes: [
    'Nothing is known of the recipes of this zone.',
    fr`Rien n’est connu des recettes de cette zone.`,
  ],
  forkHelp: [
    'Two machines sign as this zone, or its state was restored. Add a later receipt.',
    fr`Deux machines signent pour cette zone, ou son état a été restauré. Ajoutez un reçu ultérieur.`,
  ],
  addReceipt: ['Add a receipt', fr`Ajouter un reçu`],
  deliver: ['Plan a delivery', fr`Préparer une livraison`],
} as const;
