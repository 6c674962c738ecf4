import type { CommandHelp } from './command-help.ts';

/** French help of the commands for maintenance. */
export const maintainFr: Readonly<Record<string, CommandHelp>> = {
  'store check': {
    details: [
      'Hache chaque blob sur tous les processeurs, vérifie les registres du magasin, compare entre eux index, manifestes et blobs, et liste le contenu abîmé ou manquant avec les étiquettes et les recettes qui en ont besoin. Sans --quarantine, --repair ni --adopt, rien n’est modifié et d’autres lecteurs peuvent utiliser le magasin en même temps. Une instance en cours d’exécution contrôle son propre magasin en arrière-plan.',
      'Avec --quarantine, le contenu abîmé est déplacé dans _svc/quarantine et compte comme absent : il n’est pas servi, et la prochaine synchronisation ou le prochain envoi le retransfère. Rien n’est supprimé.',
      'Avec --repair, les registres abîmés ou perdus sont reconstruits à partir de chaque lot vérifié et des manifestes du disque ; les enregistrements perdus sont listés. Avec --adopt, cette instance adopte le magasin d’une autre instance : chaque octet est haché, et dans une zone ses étiquettes sont retenues jusqu’à ce qu’une recette vérifiée les atteigne. Ces trois options exigent que l’instance soit arrêtée.',
      'Code de sortie : 0 aucun dommage, 4 du contenu ou des enregistrements sont abîmés ou manquent, 1 le contrôle lui-même a échoué.',
    ],
    flags: {
      '--quarantine': 'met le contenu abîmé hors service (audité)',
      '--repair': 'reconstruit les registres abîmés à partir de chaque enregistrement vérifié (audité)',
      '--adopt': 'adopte le magasin d’une autre instance (audité)',
    },
    examples: [
      'Contrôler une instance arrêtée',
      'Réparer les registres abîmés',
      'Mettre en quarantaine le contenu abîmé',
    ],
  },
  'config dump': {
    details: [
      'Affiche la configuration issue des options, de l’environnement, du fichier de configuration et des valeurs par défaut. Aucun réglage n’est obligatoire. Les erreurs sont affichées sur la sortie d’erreur, et le code de sortie est alors 1.',
    ],
    flags: {},
    examples: ['Afficher la configuration effective', 'Un réglage pour un script'],
  },
  version: {
    details: [
      'Avec --output json, affiche aussi la version majeure de l’API et la liste des codes de sortie.',
    ],
    flags: {},
    examples: ['Pour un script'],
  },
  completion: {
    details: ['Interpréteurs : bash, zsh, fish, powershell.'],
    flags: {},
    examples: ['Dans le bash en cours', 'Pour chaque zsh', 'Pour chaque fish', 'Dans un profil PowerShell'],
  },
};
