import type { CommandHelp } from './command-help.ts';

/** French help of the commands for maintenance. */
export const maintainFr: Readonly<Record<string, CommandHelp>> = {
  'store check': {
    details: [
      'Hache chaque blob sur tous les processeurs, vérifie les journaux du magasin, compare entre eux index, manifestes et blobs, et liste le contenu abîmé ou manquant avec les étiquettes et les recettes qui en ont besoin. Sans --quarantine, --repair ni --adopt, rien n’est modifié et d’autres lecteurs peuvent utiliser le magasin en même temps. Une instance en cours d’exécution contrôle son propre magasin en arrière-plan.',
      'Avec --quarantine, le contenu abîmé est déplacé dans _svc/quarantine et compte comme absent : il n’est pas servi, et la prochaine synchronisation ou le prochain envoi le retransfère. Rien n’est supprimé.',
      'Avec --repair, les journaux du magasin abîmés ou perdus sont reconstruits à partir de chaque lot vérifié et des manifestes du disque ; les enregistrements perdus sont listés. Avec --adopt, cette instance adopte le magasin d’une autre instance : chaque octet est haché, et dans une zone ses étiquettes sont retenues jusqu’à ce qu’une recette vérifiée les atteigne. Un support adopté perd media.jsonl, et aucune autre zone ne peut l’importer avant qu’une instance en mode mirror ne l’ait synchronisé. Ces trois options exigent que l’instance soit arrêtée.',
      'Code de sortie : 0 aucun dommage, 4 du contenu ou des enregistrements sont abîmés ou manquent, 1 le contrôle lui-même a échoué.',
    ],
    flags: {
      '--quarantine': 'met le contenu abîmé hors service (audité)',
      '--repair':
        'reconstruit les journaux du magasin abîmés à partir de chaque enregistrement vérifié (audité)',
      '--adopt': 'adopte le magasin d’une autre instance (audité)',
    },
    examples: [
      'Contrôler une instance arrêtée',
      'Réparer les journaux abîmés du magasin',
      'Mettre en quarantaine le contenu abîmé',
    ],
  },
  'trust show': {
    details: [
      'Lit la configuration et les clés qu’elle nomme ; rien n’est téléchargé. Une racine configurée par URL n’a une empreinte qu’une fois sa clé copiée dans le dossier d’état, au premier démarrage de l’instance. Comparez les empreintes avec celles que le signataire publie par une autre voie. Les pairs sont d’autres instances de la configuration : ils n’approuvent aucune recette.',
    ],
    flags: {},
    examples: ['Les racines et portées en vigueur', 'Les empreintes pour un script'],
  },
  'trust fingerprint': {
    details: [
      'Affiche le SHA-256 de la clé publique (DER, SubjectPublicKeyInfo) de chaque fichier PEM, comme les pages, les journaux et les verdicts la nomment. Une clé qui ne peut pas être racine de confiance est refusée, avec la raison. Aucune configuration n’est lue.',
    ],
    flags: {},
    examples: ['Une clé'],
  },
  'config dump': {
    details: [
      'Affiche la configuration issue des options, de l’environnement, du fichier de configuration et des valeurs par défaut. Aucun réglage n’est obligatoire. Les erreurs sont affichées sur la sortie d’erreur, et le code de sortie est alors 1.',
    ],
    flags: {},
    examples: ['Afficher la configuration effective', 'Un réglage pour un script'],
  },
  'config schema': {
    details: [
      'Pour les éditeurs qui complètent et contrôlent le YAML, et pour les chaînes de traitement. Le schéma donne noms, types et valeurs par défaut ; svc config dump contrôle aussi les règles entre réglages. Un éditeur muni d’un serveur de langage YAML le lit si la première ligne du fichier est : # yaml-language-server: $schema=svc.schema.json',
    ],
    flags: {},
    examples: ['Pour un éditeur', 'Réglages d’une section'],
  },
  explain: {
    details: [
      'Affiche pour un code d’erreur ce qui s’est passé, la cause probable et que faire ; sans argument, tous les codes. Le préfixe SVC- peut être omis. Les noms entre accolades sont les paramètres qu’une erreur remplit ; une phrase après « Ou bien : » vaut dans une autre situation. Une instance nomme un réglage à la place d’un chemin : <storage.root> est le dossier de storage.root.',
    ],
    flags: {},
    examples: ['Un code', 'Tous les codes', 'Pour un script'],
  },
  version: {
    details: [
      'Avec --output json, affiche aussi la version majeure de l’API et la liste des codes de sortie. Avec --schema, affiche à la place le schéma JSON des documents que les commandes affichent avec --output json : une définition par commande, le même que sert une instance sous /api/v1/cli-output.schema.json.',
    ],
    flags: { '--schema': 'affiche le schéma JSON des documents de --output json' },
    examples: ['Pour un script', 'Contrôler un document'],
  },
  completion: {
    details: ['Interpréteurs : bash, zsh, fish, powershell.'],
    flags: {},
    examples: ['Dans le bash en cours', 'Pour chaque zsh', 'Pour chaque fish', 'Dans un profil PowerShell'],
  },
};
