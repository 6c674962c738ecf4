import type { CommandHelp } from './command-help.ts';

const mediaFlags: CommandHelp['flags'] = {
  '--zone': 'zone à laquelle le support doit être destiné',
  '--allow-zone-mismatch': 'déroge au contrôle de la zone (audité)',
  '--allow-stale': 'déroge au contrôle de fraîcheur (audité)',
};

/** French help of the commands that transfer content between zones. */
export const transferFr: Readonly<Record<string, CommandHelp>> = {
  'media verify': {
    details: [
      'Contrôle chaque fichier avec le manifeste du support, la signature de chaque recette avec les racines de confiance de cette zone, et chaque ingrédient avec son empreinte épinglée. Rien n’est poussé ni écrit. Une dérogation montre seulement ce que ferait un import avec elle.',
      'Code de sortie : 0 validé, 3 refusé seulement par le contrôle de la zone ou de fraîcheur, 4 un contrôle d’intégrité ou de signature a échoué.',
    ],
    flags: mediaFlags,
    examples: ['Vérifier le support monté sur /mnt'],
  },
  'media import': {
    details: [
      'Vérifie le support comme svc media verify, puis pousse chaque recette validée, avec ses ingrédients et ses signatures, vers destination.registry. Une recette qui échoue à un contrôle est ignorée et signalée ; les autres continuent. Chaque octet est de nouveau haché pendant l’envoi, et seul le contenu manquant est transféré. Après une interruption, la même commande reprend. La dernière ligne nomme ce qui reste sur le support, car aucune recette poussable ne le nomme.',
      'Code de sortie : 0 toutes les recettes sont poussées, 1 un envoi a échoué, 3 refus par la politique, ou seulement par le contrôle de la zone ou de fraîcheur, 4 le support ou une recette est bloqué (les recettes validées sont poussées).',
    ],
    flags: mediaFlags,
    examples: ['Importer le support monté sur /mnt'],
  },
  export: {
    details: [
      'Écrit une archive tar non compressée, ou un dossier avec --directory, que skopeo, oras, crane et svc import savent lire. Chaque octet est haché pendant la copie, et le même contenu donne toujours la même archive. L’instance doit être arrêtée ; une instance en cours d’exécution exporte par son API. Dans une zone, le magasin d’une autre instance est d’abord vérifié, et seul ce qui est validé est exporté.',
      'Une archive interrompue est supprimée ; pour un dossier interrompu, la même commande reprend.',
      'Code de sortie : 0 succès, 1 échec, 3 refus par la politique, 4 contenu abîmé ou bloqué.',
    ],
    flags: {
      '--format': 'format de la disposition (oci-layout)',
      '--directory': 'écrit un dossier au lieu d’une archive',
      '--overwrite': 'remplace une disposition existante',
      '--dry-run': 'affiche ce qui serait écrit, avec les tailles',
      '--recipe':
        'seulement cette recette, nom ou nom@version, avec ses ingrédients et ses signatures ; répétable',
      '--repository': 'seulement ce dépôt ; répétable',
    },
    examples: [
      'Tout dans une seule archive',
      'Une recette avec ses ingrédients et toutes les signatures',
      'Afficher ce qui serait écrit',
    ],
  },
};
