import { fr, type Sentence } from '../../text/language.ts';

/** What no proof of a delivery can know. A report lists these limits instead of implying completeness. */
export const proofLimits = {
  'runtime-images': [
    'images that a program chooses while it runs, such as those that an operator starts',
    fr`les images qu’un programme choisit pendant son exécution, par exemple celles qu’un opérateur démarre`,
  ],
  'application-settings': [
    'addresses of registries in the settings of applications',
    fr`les adresses de registres dans les réglages des applications`,
  ],
  'admission-policies': [
    'policies of the cluster that refuse images or change their names',
    fr`les politiques du cluster qui refusent des images ou changent leurs noms`,
  ],
  'free-space': [
    'the free space of the registry: no receipt names it',
    fr`l’espace libre du registre : aucun reçu ne le donne`,
  ],
  'trust-scopes': [
    'scopes of the zone that accept fewer keys for some recipes',
    fr`les périmètres de la zone qui acceptent moins de clés pour certaines recettes`,
  ],
  'unknown-recipes': [
    'the content of recipes of the receipt that the store of the sender does not have',
    fr`le contenu de recettes du reçu que le stockage de l’expéditeur n’a pas`,
  ],
  'unnamed-content': [
    'images that a chart names and that recipes of the receipt may have: the store of the sender has pruned these recipes, or never had them',
    fr`les images qu’un chart nomme et que des recettes du reçu ont peut-être : le stockage de l’expéditeur a élagué ces recettes, ou ne les a jamais eues`,
  ],
  'unread-content': [
    'charts, FileSets and configurations of images that neither these folders nor the store have whole, and FileSets with compressed layers',
    fr`les charts, FileSets et configurations d’images que ni ces dossiers ni le stockage n’ont en entier, et les FileSets à couches compressées`,
  ],
  'unverified-packages': [
    'signatures of repositories of packages: no keyring was named',
    fr`les signatures des dépôts de paquets : aucun trousseau n’a été nommé`,
  ],
  'unrendered-charts': [
    'images in templates of charts: they were not rendered',
    fr`les images dans les modèles des charts : ils n’ont pas été rendus`,
  ],
  'own-roots': [
    'the trust roots of the zone: those of this configuration were taken',
    fr`les racines de confiance de la zone : celles de cette configuration ont été prises`,
  ],
  'no-platforms': [
    'the platforms of the nodes: none was named',
    fr`les plateformes des nœuds : aucune n’a été nommée`,
  ],
} as const satisfies Readonly<Record<string, Sentence>>;

export type ProofLimit = keyof typeof proofLimits;
